// Scheduling calls that say what they stand for, yields, and choices: what the strategy gets to see, and the trace.
#include <string.h>

#include "check.h"

enum { kLock = 7, kVariable = 8 };
static const char kTrace[] = "capi_events.trace";
static struct operation threads[2];

/// The whole file, to be freed.
static char* contents(const char* path) {
  FILE* file = fopen(path, "r");
  CHECK(file != NULL);
  char* text = calloc(1, 1 << 20);
  CHECK(text != NULL && fread(text, 1, (1 << 20) - 1, file) > 0);
  fclose(file);
  return text;
}

static void has(const char* text, const char* part) {
  if (strstr(text, part) != NULL) return;
  fprintf(stderr, "`%s` is not in the trace:\n%s", part, text);
  exit(1);
}

static bool says_events;  // else every scheduling point is a plain one

static void touch(uint64_t id) {
  if (!says_events) {
    for (int i = 0; i < 3; ++i) CHECK_OK(heddle_schedule());
    return;
  }
  CHECK_OK(heddle_schedule_event(HEDDLE_READ, kVariable));
  CHECK_OK(heddle_schedule_event(HEDDLE_WRITE, kVariable + id));
  CHECK_OK(heddle_schedule_event(HEDDLE_ACQUIRE, kLock));
}

static int count_schedules(void) {
  int schedules = 0;
  CHECK_OK(heddle_open("dfs", 1));
  for (; heddle_attach() == HEDDLE_OK; ++schedules) {
    const uint64_t ids[] = {1, 2};
    CHECK_OK(heddle_schedule_event(HEDDLE_READ, kLock));  // before it is created: the same thing all the same
    CHECK_OK(heddle_create_resource(kLock));
    for (int i = 0; i < 2; ++i) spawn(&threads[i], ids[i], touch);
    CHECK_OK(heddle_join_all(ids, 2));
    for (int i = 0; i < 2; ++i) join_thread(&threads[i]);
    CHECK_OK(heddle_detach());
  }
  CHECK_OK(heddle_save_trace(kTrace));
  CHECK_OK(heddle_close());
  return schedules;
}

static void check_events(void) {
  says_events = false;
  CHECK(count_schedules() == 70);  // two threads of four steps: 8! / (4! 4!)
  says_events = true;
  CHECK(count_schedules() == 70);  // depth-first search does not care which events they are
  char* text = contents(kTrace);
  has(text, "T0 before wait_all ");
  has(text, "} as operation 0\n");
  has(text, "T1 from T0 ended before acquire r1");
  has(text, "r1 resource as resource 7");
  has(text, "x1 variable as id 8");
  has(text, "T0 read r1 (resource 7) at ");
  has(text, "T1 read x1 (id 8) at ");
  has(text, "T1 write x3 (id 9) at ");
  has(text, "T2 write x2 (id 10) at ");
  has(text, "T2 acquire r1 (resource 7) at ");
  has(text, "T0 wait_all ");
  free(text);
  CHECK(remove(kTrace) == 0);
}

static bool done;

static void spin_until_done(uint64_t id) {
  (void)id;
  while (!done) CHECK_OK(heddle_yield());
}

/// A spin loop that yields waits behind those who can go on, so that even a search that is not fair ends.
static void check_yield(void) {
  int schedules = 0;
  CHECK_OK(heddle_open("dfs", 1));
  for (; heddle_attach() == HEDDLE_OK; ++schedules) {
    done = false;
    spawn(&threads[0], 1, spin_until_done);
    for (int i = 0; i < 3; ++i) CHECK_OK(heddle_schedule());
    done = true;
    CHECK_OK(heddle_join_operation(1));
    join_thread(&threads[0]);
    CHECK_OK(heddle_detach());
  }
  CHECK_OK(heddle_close());
  printf("yield: %d schedules\n", schedules);
  CHECK(schedules > 3 && schedules < 1000);
}

static void check_choices(void) {
  bool seen[2][3] = {{false}};
  int schedules = 0;
  CHECK_OK(heddle_open("dfs", 1));
  for (; heddle_attach() == HEDDLE_OK; ++schedules) {
    bool flag;
    uint32_t number, one;
    CHECK_OK(heddle_choose_boolean(&flag));
    CHECK_OK(heddle_choose_integer(3, &number));
    CHECK_OK(heddle_choose_integer(1, &one));  // no choice
    CHECK(number < 3 && one == 0 && !seen[flag][number]);
    seen[flag][number] = true;
    CHECK_OK(heddle_detach());
  }
  CHECK_OK(heddle_close());
  CHECK(schedules == 6);
}

int main(void) {
  check_events();
  check_yield();
  check_choices();
  return 0;
}
