// heddle::explore as its users meet it: budgets, refusals, the environment, determinism, size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <heddle/heddle.hpp>

#include "support/environment_variable.hpp"

namespace {

using heddle::testing::Variable;

heddle::Options quietly(std::string strategy, std::uint64_t executions) {
  heddle::Options options;
  options.strategy = std::move(strategy);
  options.executions = executions;
  options.output = heddle::Output::quiet;
  options.trace_directory.clear();
  return options;
}

/// Three threads append their number: what is left is the order that the schedule gave them.
std::vector<int> order_of_three() {
  std::vector<int> order;
  std::mutex mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      const std::lock_guard lock(mutex);
      order.push_back(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return order;
}

TEST(Explore, SeesEveryOrder) {
  std::set<std::vector<int>> seen;
  const heddle::Result result = heddle::explore([&] { seen.insert(order_of_three()); }, quietly("dfs", 1'000'000));
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(seen.size(), 6u);  // 3!
  EXPECT_EQ(result.distinct_schedules, result.executions);
}

TEST(Explore, GivesTheSameSchedulesForTheSameSeed) {
  for (const char* strategy : {"random", "sticky", "pct", "fairpct", "delay", "portfolio"}) {
    std::vector<std::vector<int>> first, second;
    heddle::explore([&] { first.push_back(order_of_three()); }, quietly(strategy, 300));
    heddle::explore([&] { second.push_back(order_of_three()); }, quietly(strategy, 300));
    EXPECT_EQ(first, second) << strategy;
  }
}

TEST(Explore, SharesNoExecutionsBetweenSeeds) {
  std::vector<std::set<std::uint32_t>> drawn(
      4);  // of 2^30 values: that two of 200 are equal by chance has 2 in 100,000
  for (std::uint64_t seed = 1; seed <= drawn.size(); ++seed) {
    heddle::Options options = quietly("random", 50);
    options.seed = seed;
    heddle::explore([&] { drawn[seed - 1].insert(heddle::choose(1u << 30)); }, options);
  }
  for (auto& each : drawn) each.erase(0);  // of the first run, which is not counted
  std::set<std::uint32_t> all;
  for (const auto& each : drawn) all.insert(each.begin(), each.end());
  EXPECT_EQ(all.size(), drawn[0].size() + drawn[1].size() + drawn[2].size() + drawn[3].size());
}

TEST(Explore, RunsAThousandOperations) {
  heddle::explore(
      [] {
        int count = 0;
        std::mutex mutex;
        std::vector<std::thread> threads;
        for (int i = 0; i < 1000; ++i) {
          threads.emplace_back([&] {
            const std::lock_guard lock(mutex);
            ++count;
          });
        }
        for (std::thread& thread : threads) thread.join();
        assert(count == 1000);
      },
      quietly("random", 5));
}

TEST(Explore, GivesTheThreadOfAnEndedOperationToTheNext) {
  heddle::Options options = quietly("random", 1);
  options.steps_max = 10'000'000;
  heddle::explore(
      [] {
        int count = 0;
        for (int i = 0; i < 100'000; ++i) std::thread([&] { ++count; }).join();
        assert(count == 100'000);
      },
      options);
}

TEST(Explore, RefusesToNest) {
  const heddle::Result result = heddle::try_explore([] { heddle::explore([] {}); }, quietly("random", 1));
  EXPECT_EQ(result.verdict, "exception");
  EXPECT_NE(result.message.find("inside the body of another exploration"), std::string::npos) << result.message;
}

TEST(Explore, RefusesASecondThread) {
  std::atomic<bool> inside{false}, done{false};
  std::thread other([&] {
    while (!inside) std::this_thread::yield();
    EXPECT_THROW(heddle::explore([] {}), heddle::WrongUse);
    done = true;
  });
  heddle::Options options = quietly("random", 0);
  options.time = std::chrono::milliseconds(60'000);
  try {
    heddle::explore(
        [&] {
          inside = true;
          (void)heddle::choose(2);  // else there is nothing to explore, and it ends
          if (done) heddle::fail("seen");
        },
        options);
  } catch (const heddle::BugFound&) {
  }
  other.join();
  EXPECT_TRUE(done);
}

TEST(Explore, SaysWhatIsWrongWithItsOptions) {
  EXPECT_THROW(heddle::explore([] {}, quietly("no such strategy", 1)), heddle::WrongUse);
  EXPECT_THROW(heddle::explore([] {}, quietly("pct:depth=0", 1)), heddle::WrongUse);
  EXPECT_THROW(heddle::explore([] {}, quietly("random", 0)), heddle::WrongUse);  // no bound at all
}

TEST(Explore, RunsABodyOnceThatLeavesNothingToChoose) {
  for (const char* strategy : {"random", "dfs", "portfolio"}) {
    int runs = 0;
    const heddle::Result result = heddle::explore([&] { ++runs; }, quietly(strategy, 100));
    EXPECT_EQ(result.executions, 1u) << strategy;
    EXPECT_EQ(runs, 2) << strategy;  // the first is not counted
    EXPECT_THAT(result.report, ::testing::HasSubstr("so there is nothing to explore")) << strategy;
  }
}

TEST(Explore, ListensToTheEnvironment) {
  {
    const Variable executions("HEDDLE_EXECUTIONS", "7");
    EXPECT_EQ(heddle::explore([] { (void)heddle::choose(2); }, quietly("random", 100)).executions, 7u);
  }
  {
    const Variable strategy("HEDDLE_STRATEGY", "dfs");
    EXPECT_TRUE(heddle::explore([] {}, quietly("random", 100)).complete);
  }
  const Variable seed("HEDDLE_SEED", "seven");
  EXPECT_THROW(heddle::explore([] {}, quietly("random", 1)), heddle::WrongUse);
}

TEST(Explore, CallsAProgramThatIsNotDeterministicByThatName) {
  int calls = 0;
  const heddle::Result result = heddle::try_explore(
      [&] {
        std::thread other([] {});
        other.join();
        if (++calls == 10) heddle::fail("the tenth call");
      },
      quietly("random", 100));
  EXPECT_EQ(result.verdict, "diverged");
  EXPECT_FALSE(result.reproduced);
}

TEST(Explore, FindsABugThatOnlyItsFirstUncountedRunShows) {
  const heddle::Result result = heddle::try_explore(
      [] {
        if (heddle::choose(1'000'000) == 0) heddle::fail("zero");
      },
      quietly("random", 3));
  EXPECT_EQ(result.verdict, "failed");  // the first run takes the value 0, and does so again
  EXPECT_TRUE(result.reproduced);
}

TEST(Explore, EnumeratesData) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  const heddle::Result result = heddle::explore(
      [&] {
        const std::uint32_t a = heddle::choose(3);
        seen.insert({a, heddle::choose(a + 2)});
      },
      quietly("dfs", 1000));
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.executions, 2u + 3u + 4u);
  EXPECT_EQ(seen.size(), 9u);
}

TEST(Explore, CutsALoopThatOnlyChooses) {
  heddle::Options options = quietly("dfs", 1);  // its first execution has the lowest value everywhere
  options.steps_max = 1000;
  const heddle::Result result = heddle::explore(
      [] {
        while (heddle::choose(2) == 0) {
        }
      },
      options);
  EXPECT_EQ(result.cut, 1u);
}

TEST(Explore, IsSilentOutside) {
  EXPECT_FALSE(heddle::is_exploring());
  EXPECT_EQ(heddle::choose(5), 0u);
  heddle::step();
  bool inside = false;
  heddle::explore([&] { inside = heddle::is_exploring(); }, quietly("random", 1));
  EXPECT_TRUE(inside);
}

#ifndef __SANITIZE_ADDRESS__  // which keeps freed blocks for a while

std::size_t resident_pages() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident;
}

TEST(Explore, DoesNotGrow) {
  const auto run = [](std::uint64_t executions) {
    heddle::explore([] { order_of_three(); }, quietly("random", executions));
  };
  run(20'000);
  const std::size_t before = resident_pages();
  run(100'000);
  EXPECT_LT(resident_pages(), before + 64);  // 256 KiB: 2.6 bytes an execution, less than anything kept would take
}

#endif

}  // namespace
