// Every code that a call can return, and that a call which returns an error has changed nothing.
#include <string.h>

#include "check.h"

static void check_names(void) {
  static const struct {
    int code;
    const char* name;
  } kNames[] = {
      {HEDDLE_OK, "HEDDLE_OK"},
      {HEDDLE_DEADLOCK, "HEDDLE_DEADLOCK"},
      {HEDDLE_LIVELOCK, "HEDDLE_LIVELOCK"},
      {HEDDLE_CUT, "HEDDLE_CUT"},
      {HEDDLE_NEVER_STARTED, "HEDDLE_NEVER_STARTED"},
      {HEDDLE_FAILED, "HEDDLE_FAILED"},
      {HEDDLE_DIVERGED, "HEDDLE_DIVERGED"},
      {HEDDLE_NOT_OPEN, "HEDDLE_NOT_OPEN"},
      {HEDDLE_NOT_ATTACHED, "HEDDLE_NOT_ATTACHED"},
      {HEDDLE_ALREADY_ATTACHED, "HEDDLE_ALREADY_ATTACHED"},
      {HEDDLE_ALREADY_EXPLORING, "HEDDLE_ALREADY_EXPLORING"},
      {HEDDLE_NOTHING_LEFT, "HEDDLE_NOTHING_LEFT"},
      {HEDDLE_BAD_STRATEGY, "HEDDLE_BAD_STRATEGY"},
      {HEDDLE_BAD_TRACE, "HEDDLE_BAD_TRACE"},
      {HEDDLE_NOTHING_TO_SAVE, "HEDDLE_NOTHING_TO_SAVE"},
      {HEDDLE_CANNOT_WRITE, "HEDDLE_CANNOT_WRITE"},
      {HEDDLE_BAD_ARGUMENT, "HEDDLE_BAD_ARGUMENT"},
      {HEDDLE_DUPLICATE_OPERATION, "HEDDLE_DUPLICATE_OPERATION"},
      {HEDDLE_UNKNOWN_OPERATION, "HEDDLE_UNKNOWN_OPERATION"},
      {HEDDLE_NOT_STARTED, "HEDDLE_NOT_STARTED"},
      {HEDDLE_ALREADY_STARTED, "HEDDLE_ALREADY_STARTED"},
      {HEDDLE_ALREADY_ENDED, "HEDDLE_ALREADY_ENDED"},
      {HEDDLE_MAIN_CREATED, "HEDDLE_MAIN_CREATED"},
      {HEDDLE_MAIN_STARTED, "HEDDLE_MAIN_STARTED"},
      {HEDDLE_MAIN_ENDED, "HEDDLE_MAIN_ENDED"},
      {HEDDLE_NOT_MAIN, "HEDDLE_NOT_MAIN"},
      {HEDDLE_NOT_RUNNING, "HEDDLE_NOT_RUNNING"},
      {HEDDLE_THREAD_TAKEN, "HEDDLE_THREAD_TAKEN"},
      {HEDDLE_NOT_WAITING, "HEDDLE_NOT_WAITING"},
      {HEDDLE_DUPLICATE_RESOURCE, "HEDDLE_DUPLICATE_RESOURCE"},
      {HEDDLE_UNKNOWN_RESOURCE, "HEDDLE_UNKNOWN_RESOURCE"},
      {HEDDLE_RESOURCE_IN_USE, "HEDDLE_RESOURCE_IN_USE"},
  };
  for (size_t i = 0; i < sizeof kNames / sizeof kNames[0]; ++i)
    CHECK(strcmp(heddle_error_name(kNames[i].code), kNames[i].name) == 0);
  CHECK(strcmp(heddle_error_name(12345), "HEDDLE_?") == 0);
}

static bool message_has(const char* part) { return strstr(heddle_last_error_message(), part) != NULL; }

static void check_detached(void) {
  const uint64_t ids[] = {1};
  uint64_t id;
  bool flag = true;
  uint32_t value = 9;
  CHECK(strcmp(heddle_last_error_message(), "") == 0);
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_detach());
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_fail("x"));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_create_operation(1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_start_operation(1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_end_operation(1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_join_operation(1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_join_all(ids, 1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_join_any(ids, 1, NULL));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_current_operation(&id));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_create_resource(1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_delete_resource(1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_wait_resource(1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_wait_all(ids, 1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_wait_any(ids, 1, NULL));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_signal_resource(1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_signal_operation(1, 1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_schedule());
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_schedule_event(HEDDLE_READ, 1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_yield());
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_choose_boolean(&flag));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_inject_failure(&flag));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_observe(1, 1));
  CHECK_CODE(HEDDLE_NOT_ATTACHED, heddle_choose_integer(5, &value));
  CHECK(!flag && value == 0);
  CHECK(message_has("heddle_attach"));
}

static void check_opening(void) {
  CHECK_CODE(HEDDLE_NOT_OPEN, heddle_attach());
  CHECK_CODE(HEDDLE_NOT_OPEN, heddle_close());
  CHECK_CODE(HEDDLE_NOTHING_TO_SAVE, heddle_save_trace("errors.trace"));
  CHECK_CODE(HEDDLE_BAD_STRATEGY, heddle_open("luck", 1));
  CHECK(message_has("\"luck\"") && message_has("random"));
  CHECK_CODE(HEDDLE_BAD_STRATEGY, heddle_open("pct:depth=0", 1));
  CHECK(message_has("depth"));
  CHECK_CODE(HEDDLE_NOT_OPEN, heddle_attach());
  CHECK_CODE(HEDDLE_BAD_TRACE, heddle_replay("there/is/no.trace"));
  CHECK(message_has("there/is/no.trace"));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_replay(NULL));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_save_trace(NULL));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_set_option("speed", 1));
  CHECK(message_has("steps_max"));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_set_option(NULL, 1));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_set_option("steps_max", 0));
}

static void check_attached(void) {
  CHECK_OK(heddle_open("random", 1));
  CHECK_OK(heddle_attach());
  CHECK_CODE(HEDDLE_ALREADY_ATTACHED, heddle_attach());
  CHECK_CODE(HEDDLE_ALREADY_ATTACHED, heddle_open("random", 1));
  CHECK_CODE(HEDDLE_ALREADY_ATTACHED, heddle_close());
  CHECK_CODE(HEDDLE_ALREADY_ATTACHED, heddle_set_option("steps_max", 10));
  CHECK_CODE(HEDDLE_CANNOT_WRITE, heddle_save_trace("there/is/no/such/folder/errors.trace"));
  CHECK_OK(heddle_save_trace("errors.trace"));
  CHECK_CODE(HEDDLE_ALREADY_ATTACHED, heddle_replay("errors.trace"));
  CHECK(remove("errors.trace") == 0);
  CHECK_OK(heddle_detach());
}

static void do_nothing(uint64_t id) { (void)id; }

static void* be_a_stranger(void* unused) {
  uint64_t id;
  CHECK_CODE(HEDDLE_NOT_RUNNING, heddle_schedule());
  CHECK_CODE(HEDDLE_NOT_RUNNING, heddle_create_operation(8));
  CHECK_CODE(HEDDLE_NOT_RUNNING, heddle_wait_resource(1));
  CHECK_CODE(HEDDLE_NOT_RUNNING, heddle_current_operation(&id));
  CHECK_CODE(HEDDLE_NOT_RUNNING, heddle_fail("by a stranger"));
  CHECK_CODE(HEDDLE_NOT_RUNNING, heddle_save_trace("errors.trace"));
  CHECK_CODE(HEDDLE_NOT_MAIN, heddle_detach());
  return unused;
}

static void try_the_wrong_things(uint64_t id) {
  uint64_t self;
  CHECK_OK(heddle_current_operation(&self));
  CHECK(self == id);
  CHECK_CODE(HEDDLE_NOT_MAIN, heddle_detach());
  CHECK_CODE(HEDDLE_ALREADY_STARTED, heddle_start_operation(id));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_join_operation(id));  // itself
  CHECK_OK(heddle_create_operation(7));
  CHECK_CODE(HEDDLE_THREAD_TAKEN, heddle_start_operation(7));
  struct operation other = {.id = 7, .body = do_nothing};
  CHECK(pthread_create(&other.thread, NULL, run_operation, &other) == 0);
  CHECK_OK(heddle_join_operation(7));
  join_thread(&other);
}

static void check_operations(void) {
  const uint64_t ids[] = {1, 2};
  CHECK_OK(heddle_attach());
  CHECK_CODE(HEDDLE_MAIN_CREATED, heddle_create_operation(0));
  CHECK_CODE(HEDDLE_MAIN_STARTED, heddle_start_operation(0));
  CHECK_CODE(HEDDLE_MAIN_ENDED, heddle_end_operation(0));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_join_operation(0));
  CHECK_CODE(HEDDLE_UNKNOWN_OPERATION, heddle_start_operation(1));
  CHECK_CODE(HEDDLE_UNKNOWN_OPERATION, heddle_end_operation(1));
  CHECK_CODE(HEDDLE_UNKNOWN_OPERATION, heddle_join_operation(1));
  CHECK(message_has("operation 1"));

  CHECK_OK(heddle_create_operation(1));
  CHECK_CODE(HEDDLE_DUPLICATE_OPERATION, heddle_create_operation(1));
  CHECK_CODE(HEDDLE_NOT_STARTED, heddle_end_operation(1));
  CHECK_CODE(HEDDLE_THREAD_TAKEN, heddle_start_operation(1));
  CHECK_CODE(HEDDLE_UNKNOWN_OPERATION, heddle_join_all(ids, 2));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_join_all(ids, 0));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_join_any(NULL, 1, NULL));
  struct operation one = {.id = 1, .body = try_the_wrong_things};
  CHECK(pthread_create(&one.thread, NULL, run_operation, &one) == 0);
  pthread_t stranger;
  CHECK(pthread_create(&stranger, NULL, be_a_stranger, NULL) == 0);
  CHECK(pthread_join(stranger, NULL) == 0);
  CHECK_OK(heddle_join_operation(1));
  join_thread(&one);
  CHECK_CODE(HEDDLE_ALREADY_ENDED, heddle_end_operation(1));
  CHECK_CODE(HEDDLE_ALREADY_ENDED, heddle_start_operation(1));
  CHECK_OK(heddle_join_operation(1));  // of one that has ended: passes

  spawn(&one, 1, do_nothing);  // an id may be used again
  CHECK_CODE(HEDDLE_DUPLICATE_OPERATION, heddle_create_operation(1));
  CHECK_OK(heddle_join_operation(1));
  join_thread(&one);
  CHECK_OK(heddle_detach());
}

static void wait_for_resource_1(uint64_t id) {
  (void)id;
  CHECK_OK(heddle_wait_resource(1));
}

static void check_resources(void) {
  const uint64_t ids[] = {1, 3};
  CHECK_OK(heddle_attach());
  CHECK_CODE(HEDDLE_UNKNOWN_RESOURCE, heddle_wait_resource(1));
  CHECK_CODE(HEDDLE_UNKNOWN_RESOURCE, heddle_signal_resource(1));
  CHECK_CODE(HEDDLE_UNKNOWN_RESOURCE, heddle_delete_resource(1));
  CHECK_OK(heddle_create_resource(1));
  CHECK_CODE(HEDDLE_DUPLICATE_RESOURCE, heddle_create_resource(1));
  CHECK_CODE(HEDDLE_UNKNOWN_RESOURCE, heddle_wait_all(ids, 2));
  CHECK_CODE(HEDDLE_UNKNOWN_RESOURCE, heddle_wait_any(ids, 2, NULL));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_wait_all(ids, 0));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_wait_any(NULL, 2, NULL));
  CHECK_CODE(HEDDLE_UNKNOWN_RESOURCE, heddle_signal_operation(3, 0));
  CHECK_CODE(HEDDLE_UNKNOWN_OPERATION, heddle_signal_operation(1, 5));
  CHECK_CODE(HEDDLE_NOT_WAITING, heddle_signal_operation(1, 0));

  struct operation one;
  spawn(&one, 1, wait_for_resource_1);
  CHECK_CODE(HEDDLE_NOT_WAITING, heddle_signal_operation(1, 1));  // it has not come there yet
  while (heddle_signal_operation(1, 1) != HEDDLE_OK) CHECK_OK(heddle_schedule());
  CHECK_CODE(HEDDLE_NOT_WAITING, heddle_signal_operation(1, 1));  // once is enough
  CHECK_OK(heddle_join_operation(1));
  join_thread(&one);

  spawn(&one, 1, wait_for_resource_1);
  while (heddle_delete_resource(1) == HEDDLE_OK) {
    CHECK_OK(heddle_create_resource(1));  // nobody waited yet
    CHECK_OK(heddle_schedule());
  }
  CHECK_CODE(HEDDLE_RESOURCE_IN_USE, heddle_delete_resource(1));
  CHECK(message_has("operation 1"));
  CHECK_OK(heddle_signal_resource(1));
  CHECK_OK(heddle_delete_resource(1));
  CHECK_CODE(HEDDLE_UNKNOWN_RESOURCE, heddle_signal_resource(1));
  CHECK_OK(heddle_join_operation(1));
  join_thread(&one);
  CHECK_OK(heddle_detach());
}

static void check_arguments(void) {
  uint32_t value;
  CHECK_OK(heddle_attach());
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_choose_integer(0, &value));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_choose_integer(1u << 31, &value));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_choose_integer(2, NULL));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_choose_boolean(NULL));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_inject_failure(NULL));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_current_operation(NULL));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_schedule_event((heddle_event)0, 1));
  CHECK_CODE(HEDDLE_BAD_ARGUMENT, heddle_fail(NULL));
  CHECK_OK(heddle_choose_integer((1u << 31) - 1, &value));
  CHECK(value < (1u << 31) - 1);
  CHECK_OK(heddle_detach());
}

static void check_endings(void) {
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_fail("the first"));
  CHECK_OK(heddle_fail("the second"));
  CHECK_OK(heddle_schedule());  // it goes on
  CHECK_CODE(HEDDLE_FAILED, heddle_detach());
  CHECK(strcmp(heddle_last_error_message(), "the first") == 0);

  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_create_resource(1));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_wait_resource(1));
  CHECK(message_has("operation 0 waits for resource 1"));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_schedule());
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_create_operation(1));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_start_operation(1));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_end_operation(1));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_detach());

  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_create_resource(1));
  CHECK_OK(heddle_fail("first this"));
  CHECK_CODE(HEDDLE_DEADLOCK, heddle_wait_resource(1));
  CHECK_CODE(HEDDLE_FAILED, heddle_detach());  // what came first
  CHECK(strcmp(heddle_last_error_message(), "first this") == 0);

  CHECK_OK(heddle_set_option("steps_max", 50));
  CHECK_OK(heddle_attach());
  heddle_code code = HEDDLE_OK;
  int steps = 0;
  for (; code == HEDDLE_OK; ++steps) code = heddle_schedule();
  CHECK_CODE(HEDDLE_CUT, code);
  CHECK(steps == 50);  // the first step was main's start; the last call did not take one
  CHECK_CODE(HEDDLE_CUT, heddle_detach());
  CHECK(message_has("50 steps"));
  CHECK_OK(heddle_open("dfs", 1));
  CHECK_OK(heddle_attach());
  while (heddle_schedule() == HEDDLE_OK) continue;
  CHECK_CODE(HEDDLE_CUT, heddle_detach());
  CHECK_CODE(HEDDLE_NOTHING_LEFT, heddle_attach());  // there was nothing to choose
  CHECK(message_has("1 iterations") && message_has("every schedule"));
  CHECK_OK(heddle_set_option("steps_max", 200000));

  CHECK_OK(heddle_set_option("start_timeout_ms", 30));
  CHECK_OK(heddle_open("random", 1));
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_create_operation(3));
  CHECK_CODE(HEDDLE_NEVER_STARTED, heddle_schedule());
  CHECK(message_has("heddle_start_operation(3)"));
  CHECK_CODE(HEDDLE_NEVER_STARTED, heddle_start_operation(3));
  CHECK_CODE(HEDDLE_NEVER_STARTED, heddle_detach());
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_create_operation(4));
  CHECK_CODE(HEDDLE_NEVER_STARTED, heddle_detach());
  CHECK_OK(heddle_set_option("start_timeout_ms", 10000));
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_detach());
  CHECK_OK(heddle_close());
  CHECK_CODE(HEDDLE_NOT_OPEN, heddle_attach());
}

/// Operations that have not ended when main detaches come back from where they wait, and do no harm after that.
static heddle_code code_of_the_left_over;

static void wait_for_ever(uint64_t id) {
  (void)id;
  code_of_the_left_over = heddle_wait_resource(1);
}

static void check_left_over(void) {
  struct operation one;
  CHECK_OK(heddle_open("random", 1));
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_create_resource(1));
  spawn(&one, 1, wait_for_ever);
  while (heddle_signal_operation(1, 1) != HEDDLE_OK) CHECK_OK(heddle_schedule());  // it waits: take it out
  CHECK_OK(heddle_join_operation(1));
  join_thread(&one);
  CHECK(code_of_the_left_over == HEDDLE_OK);
  spawn(&one, 1, wait_for_ever);
  CHECK_OK(heddle_detach());  // waits until the thread has come, not until it has run
  join_thread(&one);
  CHECK(code_of_the_left_over == HEDDLE_OK);  // its body never ran
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_create_resource(1));
  CHECK_OK(heddle_create_resource(2));
  spawn(&one, 1, wait_for_ever);
  while (heddle_delete_resource(1) == HEDDLE_OK) {
    CHECK_OK(heddle_create_resource(1));
    CHECK_OK(heddle_schedule());
  }
  CHECK_OK(heddle_detach());
  join_thread(&one);
  CHECK_CODE(HEDDLE_NOT_ATTACHED, code_of_the_left_over);
  CHECK_OK(heddle_attach());
  CHECK_OK(heddle_detach());
  CHECK_OK(heddle_close());
}

int main(void) {
  check_names();
  check_detached();
  check_opening();
  check_attached();
  check_operations();
  check_resources();
  check_arguments();
  check_endings();
  check_left_over();
  return 0;
}
