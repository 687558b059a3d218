// A failing iteration is written as a trace and happens again: in this process, in another one, and not in a program
// that has changed, which is told where it differs.
#include <string.h>
#include <sys/wait.h>

#include "check.h"

static const char kTrace[] = "capi_replay.trace";
static const char kAgain[] = "capi_replay_again.trace";
static struct operation threads[3];
static int balance;
static uint32_t first_amount;
static int order[3];  // who wrote, in the order of writing
static int writes;

enum change { kNone, kOneStepMore, kOneStepLess, kOtherEvent, kOtherNumber };
static enum change change;

static void withdraw(uint64_t id) {
  uint32_t amount;
  CHECK_OK(heddle_choose_integer(10, &amount));
  if (id == 1) first_amount = amount;
  if (change == kOneStepMore && id == 2) CHECK_OK(heddle_schedule());
  if (change != kOneStepLess || id != 2)
    CHECK_OK(heddle_schedule_event(change == kOtherEvent && id == 2 ? HEDDLE_READ : HEDDLE_WRITE, 5));
  const int seen = balance;
  CHECK_OK(heddle_schedule());
  balance = seen - (int)amount;
  order[writes++] = (int)id;
}

static heddle_code run(void) {
  const uint64_t ids[] = {1, 2, 3};
  balance = 100;
  writes = 0;
  for (int i = 0; i < 3; ++i) spawn(&threads[i], ids[i], withdraw);
  CHECK_OK(heddle_join_all(ids, 3));
  for (int i = 0; i < 3; ++i) join_thread(&threads[i]);
  if (balance == 93 + (change == kOtherNumber)) heddle_fail("the balance is 93");
  return heddle_detach();
}

static void check_same(int expected_order[3], uint32_t expected_amount) {
  CHECK(memcmp(order, expected_order, sizeof order) == 0);
  CHECK(first_amount == expected_amount && balance == 93);
}

static void check_divergence(enum change to, const char* says) {
  CHECK_OK(heddle_replay(kTrace));
  CHECK_OK(heddle_attach());
  change = to;
  CHECK_CODE(HEDDLE_DIVERGED, run());
  change = kNone;
  printf("%s\n", heddle_last_error_message());
  CHECK(strstr(heddle_last_error_message(), "step ") != NULL && strstr(heddle_last_error_message(), says) != NULL);
}

/// In a process of its own, without heddle_open: the trace is all that it needs.
static int replay_alone(void) {
  CHECK_OK(heddle_replay(kTrace));
  CHECK_OK(heddle_attach());
  CHECK_CODE(HEDDLE_FAILED, run());
  CHECK(strcmp(heddle_last_error_message(), "the balance is 93") == 0);
  CHECK_OK(heddle_save_trace(kAgain));
  CHECK_CODE(HEDDLE_NOT_OPEN, heddle_attach());
  return 0;
}

/// A test as a user would write it: 2 if there is a bug.
static int explore(void) {
  CHECK_OK(heddle_open("random", 3));
  int iterations = 0;
  for (; iterations < 1000 && heddle_attach() == HEDDLE_OK; ++iterations) {
    const heddle_code code = run();
    if (code == HEDDLE_OK) continue;
    printf("iteration %d: %s\n", iterations + 1, heddle_last_error_message());
    if (getenv("HEDDLE_REPLAY") == NULL) CHECK_OK(heddle_save_trace(kTrace));
    return code == HEDDLE_FAILED ? 2 : 3;
  }
  return 0;
}

static int exit_code_of(const char* command) {
  fflush(stdout);
  const int status = system(command);
  CHECK(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void check_other_processes(const char* program) {
  char command[5000];
  snprintf(command, sizeof command, "'%s' alone", program);
  CHECK(exit_code_of(command) == 0);
  snprintf(command, sizeof command, "'%s' explore", program);
  CHECK(exit_code_of(command) == 2);
  snprintf(command, sizeof command, "HEDDLE_REPLAY=%s '%s' explore", kTrace, program);
  CHECK(exit_code_of(command) == 2);
  snprintf(command, sizeof command, "HEDDLE_STRATEGY=luck '%s' explore 2> /dev/null", program);
  CHECK(exit_code_of(command) == 1);
  snprintf(command, sizeof command, "HEDDLE_SEED=luck '%s' explore 2> /dev/null", program);
  CHECK(exit_code_of(command) == 1);
  if (getenv("HEDDLE_COMMAND") == NULL) return;
  snprintf(command, sizeof command, "'%s' replay %s", getenv("HEDDLE_COMMAND"), kTrace);
  CHECK(exit_code_of(command) == 2);
}

static void check_deadlock_replays(void) {
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_create_resource(1));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_wait_resource(1));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_detach());
  CHECK_OK(heddle_save_trace(kTrace));
  CHECK_OK(heddle_replay(kTrace));
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_create_resource(1));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_wait_resource(1));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_detach());
  CHECK_OK(heddle_replay(kTrace));
  CHECK_OK(heddle_attach());
  CHECK_CODE(HEDDLE_DIVERGED, heddle_detach());  // ends too early
}

int main(int argc, char** argv) {
  if (argc > 1) return strcmp(argv[1], "alone") == 0 ? replay_alone() : explore();

  CHECK_OK(heddle_open("random", 3));
  heddle_code code;
  int iterations = 0;
  do {
    CHECK_OK(heddle_attach());
    code = run();
    CHECK(++iterations < 10000);
  } while (code == HEDDLE_OK);
  CHECK_CODE(HEDDLE_FAILED, code);
  printf("failed in iteration %d\n", iterations);
  CHECK_OK(heddle_save_trace(kTrace));
  int expected_order[3];
  memcpy(expected_order, order, sizeof order);
  const uint32_t expected_amount = first_amount;

  for (int i = 0; i < 3; ++i) {
    CHECK_OK(heddle_replay(kTrace));
    CHECK_OK(heddle_attach());
    CHECK_CODE(HEDDLE_FAILED, run());
    check_same(expected_order, expected_amount);
    CHECK_OK(heddle_save_trace(kAgain));  // with whole stacks, this time
    CHECK_OK(heddle_replay(kAgain));
    CHECK_OK(heddle_attach());
    CHECK_CODE(HEDDLE_FAILED, run());
    check_same(expected_order, expected_amount);
  }
  check_divergence(kOneStepMore, "T2 step");
  check_divergence(kOneStepLess, "expected T2 write");
  check_divergence(kOtherEvent, "got T2 read");
  check_divergence(kOtherNumber, "passed");
  check_other_processes(argv[0]);

  CHECK_OK(heddle_attach());  // the exploration goes on where it was
  run();
  check_deadlock_replays();
  CHECK_OK(heddle_close());
  CHECK(remove(kTrace) == 0 && remove(kAgain) == 0);
  return 0;
}
