// What the program shows and the failures that it offers, under strategies that learn.
#include "check.h"

enum { kDigits = 10, kThing = 7 };

static int matched;   // digits of 0101010101; -1: another string
static int received;  // messages

static void receive(int digit) {
  if (++received > kDigits) return;
  if (matched >= 0) matched = digit == matched % 2 ? matched + 1 : -1;
  CHECK_OK(heddle_observe(kThing, (uint64_t)(matched + 1)));
}

static void go_on_sending(uint64_t id) {
  for (int i = 0; i < kDigits; ++i) {
    CHECK_OK(heddle_schedule());
    receive((int)id - 1);
  }
}

/// Figure 1 of the QL paper (Mukherjee et al., OOPSLA 2020): of how many executions is the string received?
static int strings(const char* strategy, int executions) {
  int count = 0;
  CHECK_OK(heddle_open(strategy, 1));
  for (int i = 0; i < executions; ++i) {
    matched = received = 0;
    CHECK_OK(heddle_attach());
    struct operation zeros, ones;
    spawn(&zeros, 1, go_on_sending);
    spawn(&ones, 2, go_on_sending);
    CHECK_OK(heddle_join_operation(1));
    CHECK_OK(heddle_join_operation(2));
    CHECK_OK(heddle_detach());
    join_thread(&zeros);
    join_thread(&ones);
    count += matched == kDigits;
  }
  CHECK_OK(heddle_close());
  return count;
}

static int failures(const char* strategy, int executions) {
  int count = 0;
  CHECK_OK(heddle_open(strategy, 1));
  for (int i = 0; i < executions; ++i) {
    bool fails = false;
    CHECK_OK(heddle_attach());
    CHECK_OK(heddle_inject_failure(&fails));
    CHECK_OK(heddle_detach());
    count += fails;
  }
  CHECK_OK(heddle_close());
  return count;
}

int main(void) {
  // A random walk receives it in one of 1,024 executions, QL of the paper in 7.8 %.
  CHECK(strings("ql_custom:divide=1", 1000) > 39);
  CHECK(strings("random", 1000) < 10);

  // A failure is tried about once, but is a choice like any other without the optimisations: 250 expected.
  const int tried = failures("ql", 500);
  CHECK(tried >= 1 && tried <= 5);
  CHECK(failures("ql_basic", 500) > 100);
  return 0;
}
