// Figures 2 to 4 of the Nekara paper, with threads of the test's own: the program, the mocks, and the loop.
//
// The assertion fails when t1 is the last to write x. How often that is, over all schedules and under a random one, is
// counted here a second time by a model of the program that knows nothing of heddle.
#include "check.h"

static void* starter(void* thread);

struct thread {
  uint64_t id;
  void (*body)(int);
  int argument;
  pthread_t handle;
};

struct lock {
  uint64_t id;
  bool acquired;
};

static void create_thread(struct thread* thread, uint64_t id, void (*body)(int), int argument) {
  *thread = (struct thread){.id = id, .body = body, .argument = argument};
  heddle_create_operation(id);  // before the thread is there
  pthread_create(&thread->handle, NULL, starter, thread);
}

static void* starter(void* argument) {
  struct thread* self = argument;
  if (heddle_start_operation(self->id) != HEDDLE_OK) return NULL;  // comes back when it is scheduled
  self->body(self->argument);
  heddle_end_operation(self->id);
  return NULL;
}

static void join_thread_of(struct thread* thread) {
  heddle_join_operation(thread->id);  // first here, where heddle sees who waits for whom
  pthread_join(thread->handle, NULL);
}

static void acquire(struct lock* lock) {
  heddle_schedule();
  while (lock->acquired)
    if (heddle_wait_resource(lock->id) != HEDDLE_OK) return;  // a deadlock: the threads wind down
  lock->acquired = true;
}

static void release(struct lock* lock) {
  lock->acquired = false;
  heddle_signal_resource(lock->id);
}

static int x;
static struct lock lock;

static void foo(int argument) {
  acquire(&lock);
  x = argument;
  release(&lock);
}

static void test(void) {
  x = 0;
  lock = (struct lock){.id = 1};
  heddle_create_resource(lock.id);
  struct thread t1, t2, t3;
  create_thread(&t1, 1, foo, 1);
  create_thread(&t2, 2, foo, 2);
  create_thread(&t3, 3, foo, 3);
  join_thread_of(&t1);
  join_thread_of(&t2);
  join_thread_of(&t3);
  if (x == 1) heddle_fail("x is 1: t1 wrote last");
}

static uint64_t count_failures(const char* strategy, uint64_t seed, uint64_t iterations_max, uint64_t* iterations) {
  uint64_t failures = 0;
  heddle_open(strategy, seed);
  for (*iterations = 0; *iterations < iterations_max; ++*iterations) {
    if (heddle_attach() == HEDDLE_NOTHING_LEFT) break;  // a systematic search has come to its end
    test();
    if (heddle_detach() == HEDDLE_FAILED) ++failures;
  }
  heddle_close();
  return failures;
}

// --- the same program as data ------------------------------------------------------------------------------------

/// Each thread takes two steps, its start and its critical section, which holds no scheduling point; main takes one for
/// each join, when that thread has ended. What must come before what is a tree with the last join as its root, so the
/// number of schedules is 9! over the product of the sizes of its subtrees (Knuth 5.1.4), 9 6 3 2 2 2 1 1 1: 280.
struct model {
  int steps[3];
  int joined;
  int x;
};

struct outcome {
  uint64_t schedules;
  uint64_t failures;
  double probability;  // of a failure, if every enabled operation is equally likely at every point
};

static struct outcome outcome_of(struct model at) {
  if (at.joined == 3) return (struct outcome){1, at.x == 1, at.x == 1};
  struct outcome sum = {0, 0, 0};
  int enabled = 0;
  for (int who = 0; who <= 3; ++who) {
    struct model next = at;
    if (who == 3) {
      if (at.steps[at.joined] < 2) continue;
      ++next.joined;
    } else {
      if (at.steps[who] == 2) continue;
      if (++next.steps[who] == 2) next.x = who + 1;
    }
    const struct outcome one = outcome_of(next);
    sum.schedules += one.schedules;
    sum.failures += one.failures;
    sum.probability += one.probability;
    ++enabled;
  }
  sum.probability /= enabled;
  return sum;
}

int main(void) {
  const struct outcome expected = outcome_of((struct model){.x = 0});
  uint64_t iterations;

  const uint64_t failing_schedules = count_failures("dfs", 1, UINT64_MAX, &iterations);
  printf("dfs: x is 1 in %d of %d schedules; the model says %d of %d\n", (int)failing_schedules, (int)iterations,
         (int)expected.failures, (int)expected.schedules);
  CHECK(iterations == 280 && expected.schedules == 280);
  CHECK(failing_schedules == expected.failures);

  const uint64_t failures = count_failures("random", 7, 1000, &iterations);
  const double mean = 1000 * expected.probability;
  const double variance = mean * (1 - expected.probability);
  const double off = (double)failures - mean;
  printf("random: x is 1 in %d of 1000 iterations; expected %.1f, with a variance of %.1f\n", (int)failures, mean,
         variance);
  CHECK(iterations == 1000);
  CHECK(off * off < 4 * 4 * variance);  // within 4 sigma: all but 1 of 16,000 seeds

  CHECK(count_failures("random", 7, 1000, &iterations) == failures);  // the same seed, the same schedules
  CHECK(count_failures(NULL, 7, 200, &iterations) > 0);               // the portfolio
  return 0;
}
