// Whatever a body does, it ends in a verdict, and the next exploration in the same process is right.
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>

#include <cassert>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <heddle/heddle.hpp>

namespace {

heddle::Options quietly(heddle::Executor executor = heddle::Executor::carrier) {
  heddle::Options options;
  options.executions = 20;
  options.executor = executor;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  return options;
}

volatile bool for_ever = true;

[[gnu::noinline]] int deeper(volatile char* above) {
  volatile char here[4096];
  here[0] = above[0];
  return for_ever ? deeper(here) + here[0] : 0;
}

void in_a_thread(const std::function<void()>& what) {
  std::thread thread(what);
  thread.join();
}

struct Ending {
  const char* verdict;
  std::function<void()> body;
};

std::vector<Ending> endings() {
  return {
      {"assertion", [] { in_a_thread([] { assert(1 == 2); }); }},
      {"aborted", [] { in_a_thread([] { std::abort(); }); }},
      {"aborted", [] { std::thread joinable([] {}); }},
      {"exception", [] { in_a_thread([] { throw std::runtime_error("nobody catches this"); }); }},
      {"exception", [] { throw 7; }},
      {"exited", [] { in_a_thread([] { std::exit(0); }); }},
      {"failed", [] { heddle::fail("on purpose"); }},
      {"signal", [] { in_a_thread([] { *static_cast<volatile int*>(nullptr) = 1; }); }},
      {"signal", [] { in_a_thread([] { raise(SIGFPE); }); }},
      {"signal", [] { raise(SIGBUS); }},
      {"signal", [] { raise(SIGILL); }},
      {"aborted", [] { in_a_thread([] { raise(SIGABRT); }); }},
      {"deadlock",
       [] {
         std::mutex mutex;
         mutex.lock();
         in_a_thread([&] { mutex.lock(); });
       }},
      {"leaked-thread",
       [] {
         static std::mutex mutex;
         mutex.lock();
         std::thread([] { mutex.lock(); }).detach();
       }},
      {"leaked-thread",
       [] {
         pthread_t thread;
         pthread_create(
             &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
       }},
      {"misuse",
       [] {
         std::mutex mutex;
         mutex.unlock();
       }},
      {"stack-overflow",
       [] {
         in_a_thread([] {
           char first = 1;
           deeper(&first);
         });
       }},
  };
}

/// A test of two threads whose schedules are known: five points that interleave in exactly so many ways.
void expect_a_right_exploration(heddle::Executor executor) {
  heddle::Options options = quietly(executor);
  options.strategy = "dfs";
  options.executions = 1000;
  const heddle::Result result = heddle::try_explore(
      [] {
        std::mutex mutex;
        int x = 0;
        std::thread other([&] {
          const std::lock_guard lock(mutex);
          ++x;
        });
        {
          const std::lock_guard lock(mutex);
          ++x;
        }
        other.join();
        assert(x == 2);
      },
      options);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_TRUE(result.complete);
  // T1: start, lock, unlock; T0: lock, unlock, join, where join waits for T1 and the locks exclude each other. Either
  // T0 takes the lock first (T1 has then started before its lock, between lock and unlock, or after: 3 ways) or T1
  // does, and T0 stands at its lock throughout (1 way until T1's unlock, after which nobody has a choice).
  EXPECT_EQ(result.executions, 4u);
}

class Survival : public testing::TestWithParam<heddle::Executor> {};

TEST_P(Survival, EveryEndingIsAVerdictAndTheNextExplorationIsRight) {
  for (int round = 0; round < 5; ++round) {
    for (const Ending& ending : endings()) {
      const heddle::Result result = heddle::try_explore(ending.body, quietly(GetParam()));
      EXPECT_TRUE(result.bug_found);
      EXPECT_EQ(result.verdict, ending.verdict) << result.report;
      EXPECT_TRUE(result.reproduced) << result.report;
      expect_a_right_exploration(GetParam());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OnBoth, Survival, testing::Values(heddle::Executor::carrier, heddle::Executor::baton),
                         [](const auto& kind) {
                           return kind.param == heddle::Executor::carrier ? "carrier" : "baton";
                         });

}  // namespace
