// The smallest programs of each kind of outcome that a search has missed, or could.
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "oracle/search.hpp"

namespace heddle::oracle {
namespace {

struct Known {
  const char* name;
  const char* program;
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.name; }

constexpr Known kKnown[] = {
    {"EndOfAThread", "T0: create 1, load 0, try_join 1; T1: store 0 1"},
    {"EndOfAThreadByTimedJoin", "T0: create 1, lock 0, timed_join 1; T1: lock 0, unlock 0"},
    {"EndOfOwnerOfRobustMutex", "mutexes=on; T0: create 1, try_lock 0; T1: lock 0"},
    {"EndOfOwnerOfRobustMutexAfterAnotherLock",
     "mutexes=on; T0: create 1, create 2; T1: try_lock 0; T2: try_lock 0, lock 1"},
    {"ExitOfTwoThreads", "T0: create 1, exit 1; T1: exit 2"},
    {"ExitBeforeAnAssertion", "T0: create 1, immediate_exit 0; T1: load 0, assert_is 1"},
    {"ExitOrAbort", "T0: create 1, abort; T1: quick_exit 2"},
    {"AbortAfterAPost", "T0: create 1, acquire 0, exit 1; T1: post 0, abort"},
    {"AbortBesideImmediateExit", "T0: create 1, acquire 0, immediate_exit 1; T1: post 0, abort"},
    {"AbortBesideQuickExit", "T0: create 1, acquire 0, quick_exit 1; T1: post 0, abort"},
    {"AbortOrAssertion", "T0: create 1, abort; T1: load 0, assert_is 1"},
    {"AssertionAfterAPost", "T0: create 1, acquire 0, exit 1; T1: post 0, assert_is 1"},
    {"YieldsTwice", "T0: create 1, store 0 1; T1: yield, yield, load 0"},
    {"SleepsTwice", "T0: create 1, timed_acquire 0; T1: sleep, sleep, post 0"},
    {"TimesOutTwice", "T0: create 1, try_lock 0, unlock 0; T1: timed_lock 0, timed_lock 0, try_lock 0"},
    {"WaitsTwiceInVain", "T0: create 1, broadcast 0; T1: lock 0, timed_wait 0 0, timed_wait 0 0, timed_wait 0 0"},
    {"FutexTimesOutTwice",
     "T0: create 1, futex_set 0 1; T1: futex_timed_wait 0 0, futex_timed_wait 1 0, futex_wait 0 0"},
    {"ReductionBesideFairness",
     "semaphores=10; T0: create 1, create 2, create 3, value_of 0; T1: yield, yield, acquire 0; T2: post 0; T3:"},
    {"WaitReleasesItsMutex", "T0: create 1, try_lock 0, signal 0; T1: lock 0, wait 0 0"},
    {"WaitReleasesItsMutexBesideAnotherLock",
     "T0: create 1, lock 1, try_lock 0, signal 0, unlock 1; T1: lock 0, wait 0 0, lock 1"},
    {"CancelBeforeTestOfIt", "T0: create 1, cancel 1; T1: test_cancel, sleep"},
    {"CancelBeforeSleep", "T0: create 1, cancel 1; T1: sleep, sleep"},
    {"CancelBeforeSemaphore", "semaphores=10; T0: create 1, cancel 1; T1: test_cancel, acquire 0"},
    {"SignalAfterCancelOfTheWaiter", "T0: create 1, cancel 1, signal 0; T1: lock 0, timed_wait 0 0"},
    {"SignalAfterCancelOfOneOfTwoWaiters",
     "T0: create 1, create 2, cancel 1, signal 0, join 1, join 2; T1: lock 0, wait 0 0, unlock 0; T2: lock 0, wait 0 "
     "0"},
    {"ClocksOfTwoThreads", "T0: create 1, now, publish 0; T1: now, later 0"},
    {"ClockAfterALoad", "T0: create 1, store 0 1, now, publish 0; T1: load 0, now, later 0"},
    {"SerialThreadOfABarrier", "T0: create 1, arrive 0, load 0; T1: store 0 1, arrive 0"},
    {"OnceByTwoThreads", "T0: create 1, once 0, load 0; T1: once 0, load 0"},
    {"WriterBesideReaders",
     "T0: create 1, read_lock 0, try_read 0, rw_unlock 0, rw_unlock 0; T1: try_write 0, rw_unlock 0"},
};

class OfProgram : public testing::TestWithParam<Known> {};
INSTANTIATE_TEST_SUITE_P(Oracle, OfProgram, testing::ValuesIn(kKnown), [](const auto& one) { return one.param.name; });

TEST_P(OfProgram, ShowsAllItCanDo) {
  const auto program = parse(GetParam().program);
  ASSERT_TRUE(program);
  std::string differences;
  for (const char* strategy : {"dfs", "dfs:reduce=1", "ipb:bound=none", "idb:bound=none", "ipb:bound=1", "idb:bound=1"})
    differences += difference(*program, strategy, {.states = 100'000, .executions = 1'000'000}, On::carrier);
  if (!differences.empty()) FAIL() << to_text(*program) << differences;
}

}  // namespace
}  // namespace heddle::oracle
