// Two locks taken in opposite order: the deadlock is found, every call that it blocks says so, and the iterations
// after it are as good as those before.
#include <string.h>

#include "check.h"

struct lock {
  uint64_t id;
  bool acquired;
};

static struct lock locks[2];

/// False: the iteration is over.
static bool acquire(struct lock* lock) {
  if (heddle_schedule_event(HEDDLE_ACQUIRE, lock->id) != HEDDLE_OK) return false;
  while (lock->acquired)
    if (heddle_wait_resource(lock->id) != HEDDLE_OK) return false;
  lock->acquired = true;
  return true;
}

static void release(struct lock* lock) {
  lock->acquired = false;
  CHECK_OK(heddle_signal_resource(lock->id));
}

static heddle_code code_of[3];  // what the last call of each operation returned

static void take_both(uint64_t id) {
  struct lock* const first = &locks[id == 1 ? 0 : 1];
  struct lock* const second = &locks[id == 1 ? 1 : 0];
  if (acquire(first) && acquire(second)) {
    release(second);
    release(first);
  }
  code_of[id] = heddle_schedule();
}

static heddle_code test(void) {
  struct operation threads[2];
  for (uint64_t i = 0; i < 2; ++i) {
    locks[i] = (struct lock){.id = 100 + i};
    CHECK_OK(heddle_create_resource(locks[i].id));
  }
  for (uint64_t i = 0; i < 2; ++i) spawn(&threads[i], i + 1, take_both);
  const uint64_t ids[] = {1, 2};
  code_of[0] = heddle_join_all(ids, 2);
  for (int i = 0; i < 2; ++i) join_thread(&threads[i]);
  return heddle_detach();
}

static void check_deadlock(void) {
  for (int i = 0; i < 3; ++i) CHECK_CODE(HEDDLE_DEADLOCK, code_of[i]);
  CHECK(strstr(heddle_last_error_message(),
               "operation 0 waits for all of the end of operation 1, the end of operation 2, "
               "operation 1 waits for resource 101, operation 2 waits for resource 100") != NULL);
}

/// How many of the iterations end in a deadlock; the others must pass.
static int count_deadlocks(const char* strategy, int iterations_max, int* iterations) {
  int deadlocks = 0;
  CHECK_OK(heddle_open(strategy, 1));
  for (*iterations = 0; *iterations < iterations_max; ++*iterations) {
    const heddle_code attached = heddle_attach();
    if (attached == HEDDLE_NOTHING_LEFT) break;
    CHECK_OK(attached);
    const heddle_code code = test();
    if (code == HEDDLE_DEADLOCK) {
      check_deadlock();
      ++deadlocks;
      continue;
    }
    CHECK_OK(code);
    for (int i = 0; i < 3; ++i) CHECK_OK(code_of[i]);
  }
  CHECK_OK(heddle_close());
  return deadlocks;
}

// Each thread starts, takes one lock, takes the other. They deadlock exactly if both have taken two steps before either
// takes its third: 6 of the 16 ways in which four fair coins fall, and then 2 orders in which they block.
//
// Otherwise one has taken and released both locks while the other had none. It has one step left, the other its two
// acquires and the last: 4 orders, if the other started at one of 3 places before; or 5, if it starts after. So there
// are 2 (3 4 + 5) = 34 schedules without a deadlock, and 12 with one.
int main(void) {
  int iterations;
  const int of_random = count_deadlocks("random", 1000, &iterations);
  printf("random: %d deadlocks in %d iterations\n", of_random, iterations);
  CHECK(iterations == 1000);
  CHECK(of_random > 314 && of_random < 436);                         // 375 expected, give or take 4 sigma of 15.3
  CHECK(count_deadlocks("random", 1000, &iterations) == of_random);  // nothing is left behind

  const int of_all = count_deadlocks("dfs", 1000, &iterations);
  printf("dfs: %d deadlocks in %d schedules\n", of_all, iterations);
  CHECK(of_all == 12 && iterations == 46);
  return 0;
}
