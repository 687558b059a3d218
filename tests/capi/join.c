// Joining and waiting for all or any of several, and signalling one operation, over every schedule.
#include <string.h>

#include "check.h"

static uint64_t const kIds[] = {1ull << 63, 2, 3};  // any 64-bit numbers
enum { kThreads = 3 };
static struct operation threads[kThreads];
static bool ended[kThreads];

static size_t number_of(uint64_t id) {
  size_t i = 0;
  while (kIds[i] != id) ++i;
  return i;
}

static void end_after_a_step(uint64_t id) {
  CHECK_OK(heddle_schedule());
  ended[number_of(id)] = true;
}

static void spawn_all(void (*body)(uint64_t)) {
  memset(ended, 0, sizeof ended);
  for (int i = 0; i < kThreads; ++i) spawn(&threads[i], kIds[i], body);
}

static void join_threads(void) {
  for (int i = 0; i < kThreads; ++i) join_thread(&threads[i]);
}

/// Runs the test under every schedule; all must pass. Returns how many there are.
static int explore(void (*test)(void)) {
  int schedules = 0;
  CHECK_OK(heddle_open("dfs", 1));
  for (;; ++schedules) {
    const heddle_code code = heddle_attach();
    if (code == HEDDLE_NOTHING_LEFT) break;
    CHECK_OK(code);
    test();
    CHECK_OK(heddle_detach());
  }
  CHECK_OK(heddle_close());
  return schedules;
}

static void join_all(void) {
  spawn_all(end_after_a_step);
  CHECK_OK(heddle_join_all(kIds, kThreads));
  CHECK(ended[0] && ended[1] && ended[2]);
  join_threads();
}

static bool was_first[kThreads];

static void join_any(void) {
  spawn_all(end_after_a_step);
  const uint64_t twice[] = {kIds[0], kIds[1], kIds[2], kIds[1]};
  size_t which = 99;
  CHECK_OK(heddle_join_any(twice, 4, &which));
  CHECK(which < kThreads && ended[which]);
  if (ended[0] + ended[1] + ended[2] == 1) was_first[which] = true;
  CHECK_OK(heddle_join_all(kIds, kThreads));
  CHECK_OK(heddle_join_any(kIds, kThreads, &which));  // all have ended: the first of the list
  CHECK(which == 0);
  CHECK_OK(heddle_join_any(kIds, kThreads, NULL));
  join_threads();
}

static bool signalled[2];

static void signal_one_resource(uint64_t id) {
  if (number_of(id) == 2) return;
  CHECK_OK(heddle_schedule());
  signalled[number_of(id)] = true;
  CHECK_OK(heddle_signal_resource(10 + number_of(id)));
}

// Main waits before anybody else runs: no signal is lost.
static void wait_all(void) {
  const uint64_t resources[] = {10, 11, 10};
  memset(signalled, 0, sizeof signalled);
  for (int i = 0; i < 2; ++i) CHECK_OK(heddle_create_resource(resources[i]));
  spawn_all(signal_one_resource);
  CHECK_OK(heddle_wait_all(resources, 3));
  CHECK(signalled[0] && signalled[1]);
  CHECK_OK(heddle_join_all(kIds, kThreads));
  join_threads();
}

static bool came_first[2];

static void wait_any(void) {
  const uint64_t resources[] = {10, 11};
  size_t which = 99;
  memset(signalled, 0, sizeof signalled);
  for (int i = 0; i < 2; ++i) CHECK_OK(heddle_create_resource(resources[i]));
  spawn_all(signal_one_resource);
  CHECK_OK(heddle_wait_any(resources, 2, &which));
  CHECK(which < 2 && signalled[which]);
  came_first[which] = true;
  CHECK_OK(heddle_signal_resource(10));  // main waits for neither any more: this is for nobody
  CHECK_OK(heddle_join_all(kIds, kThreads));
  join_threads();
}

static int woken;

static void wait_and_count(uint64_t id) {
  const uint64_t both[] = {10, 11};
  CHECK_OK(number_of(id) == 2 ? heddle_wait_all(both, 2) : heddle_wait_resource(10));
  ended[number_of(id)] = true;
  ++woken;
}

/// Signals until the operation waits there. Yields meanwhile, or the search would never end.
static void signal_operation_until_it_waits(uint64_t resource, uint64_t id) {
  heddle_code code;
  while ((code = heddle_signal_operation(resource, id)) == HEDDLE_NOT_WAITING) CHECK_OK(heddle_yield());
  CHECK_OK(code);
}

static void signal_one(void) {
  woken = 0;
  CHECK_OK(heddle_create_resource(10));
  CHECK_OK(heddle_create_resource(11));
  spawn_all(wait_and_count);
  signal_operation_until_it_waits(10, kIds[1]);
  CHECK_OK(heddle_join_operation(kIds[1]));
  CHECK(woken == 1 && ended[1]);  // it alone, whoever else waited
  signal_operation_until_it_waits(10, kIds[2]);
  CHECK_OK(heddle_schedule());
  CHECK(!ended[2]);  // it waits for 11 as well
  CHECK_OK(heddle_signal_resource(11));
  signal_operation_until_it_waits(10, kIds[0]);
  CHECK_OK(heddle_join_all(kIds, kThreads));
  CHECK(woken == 3);
  join_threads();
}

/// A signal that comes before the wait is lost: then main waits for ever.
static int lost_signals(void) {
  int lost = 0;
  CHECK_OK(heddle_open("dfs", 1));
  while (heddle_attach() == HEDDLE_OK) {
    CHECK_OK(heddle_create_resource(10));
    memset(signalled, 0, sizeof signalled);
    spawn(&threads[0], kIds[0], signal_one_resource);
    CHECK_OK(heddle_schedule());
    const bool too_late = signalled[0];
    const heddle_code code = heddle_wait_resource(10);
    CHECK_CODE(too_late ? HEDDLE_DEADLOCK : HEDDLE_OK, code);
    heddle_join_operation(kIds[0]);
    join_thread(&threads[0]);
    CHECK_CODE(code, heddle_detach());
    lost += code == HEDDLE_DEADLOCK;
  }
  CHECK_OK(heddle_close());
  return lost;
}

enum { kMany = 100 };
static int many_ended;

static void count_one(uint64_t id) {
  (void)id;
  CHECK_OK(heddle_schedule());
  ++many_ended;
}

static void many_operations(void) {
  static struct operation many[kMany];
  uint64_t ids[kMany];
  CHECK_OK(heddle_open("pct", 1));
  for (int iteration = 0; iteration < 20; ++iteration) {
    CHECK_OK(heddle_attach());
    many_ended = 0;
    for (uint64_t i = 0; i < kMany; ++i) spawn(&many[i], ids[i] = i * 0x100000001ull + 1, count_one);
    CHECK_OK(heddle_join_all(ids, kMany));
    CHECK(many_ended == kMany);
    for (int i = 0; i < kMany; ++i) join_thread(&many[i]);
    CHECK_OK(heddle_detach());
  }
  CHECK_OK(heddle_close());
}

int main(void) {
  // Three threads of two steps each in any order, 6! / 2^3, and then main: nothing else is enabled.
  CHECK(explore(join_all) == 90);
  explore(join_any);
  CHECK(was_first[0] && was_first[1] && was_first[2]);
  explore(wait_all);
  explore(wait_any);
  CHECK(came_first[0] && came_first[1]);
  explore(signal_one);
  CHECK(lost_signals() == 1);  // in one order of three steps both of the thread's come before main's
  many_operations();
  return 0;
}
