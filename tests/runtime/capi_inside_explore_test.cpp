// The C API inside the body of heddle::explore: one execution mixes it with threads and mutexes under control.
#include <gtest/gtest.h>
#include <heddle/heddle.h>
#include <pthread.h>

#include <heddle/heddle.hpp>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

heddle::Options options(const char* strategy) {
  heddle::Options options;
  options.strategy = strategy;
  options.executions = 100'000;
  options.output = heddle::Output::quiet;
  options.trace_directory = "";
  return options;
}

/// Every schedule must pass. Returns how many there are.
std::uint64_t explore_all(const heddle::Body& body) {
  const heddle::Result result = heddle::try_explore(body, options("dfs"));
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_TRUE(result.complete);
  return result.executions;
}

#define EXPECT_CODE(expected, call) EXPECT_STREQ(#expected, heddle_error_name(call))

/// A std::thread that is an operation of the C API as well.
std::thread operation(std::uint64_t id, std::function<void()> body) {
  EXPECT_EQ(heddle_create_operation(id), HEDDLE_OK);
  return std::thread([id, body = std::move(body)] {
    EXPECT_EQ(heddle_start_operation(id), HEDDLE_OK);
    body();
    EXPECT_EQ(heddle_end_operation(id), HEDDLE_OK);
  });
}

struct Lock {
  std::uint64_t id;
  bool acquired = false;

  explicit Lock(std::uint64_t resource) : id(resource) { EXPECT_EQ(heddle_create_resource(id), HEDDLE_OK); }
  void lock() {
    heddle_schedule_event(HEDDLE_ACQUIRE, id);
    while (acquired) heddle_wait_resource(id);
    acquired = true;
  }
  void unlock() {
    acquired = false;
    heddle_signal_resource(id);
  }
};

TEST(CapiInsideExplore, FindsTheBugOfFigure2) {
  const heddle::Result result = heddle::try_explore(
      [] {
        int x = 0;
        Lock lock(1);
        std::vector<std::thread> threads;
        for (int i = 1; i <= 3; ++i)
          threads.push_back(operation(static_cast<std::uint64_t>(i), [&x, &lock, i] {
            const std::lock_guard guard(lock);
            x = i;
          }));
        for (std::thread& thread : threads) thread.join();
        if (x == 1) heddle_fail("x is 1: t1 wrote last");
      },
      options("random"));
  EXPECT_TRUE(result.bug_found);
  EXPECT_TRUE(result.reproduced) << result.report;
  EXPECT_EQ(result.verdict, "failed");
  EXPECT_EQ(result.message, "x is 1: t1 wrote last");
}

TEST(CapiInsideExplore, MixesItsLocksWithMutexes) {
  explore_all([] {
    Lock lock(7);
    std::mutex mutex;
    int inside = 0;
    const auto work = [&] {
      const std::lock_guard outer(lock);
      EXPECT_EQ(heddle_schedule(), HEDDLE_OK);
      const std::lock_guard inner(mutex);
      EXPECT_EQ(++inside, 1);
      std::this_thread::yield();
      --inside;
    };
    std::thread one = operation(1, work);
    work();
    one.join();
  });
}

TEST(CapiInsideExplore, ReportsADeadlockBetweenItsLocksAndMutexes) {
  const heddle::Result result = heddle::try_explore(
      [] {
        Lock lock(7);
        std::mutex mutex;
        std::thread one = operation(1, [&] {
          const std::lock_guard outer(lock);
          const std::lock_guard inner(mutex);
        });
        {
          const std::lock_guard outer(mutex);
          const std::lock_guard inner(lock);
        }
        one.join();
      },
      options("dfs"));
  EXPECT_TRUE(result.bug_found);
  EXPECT_TRUE(result.reproduced) << result.report;
  EXPECT_EQ(result.verdict, "deadlock");
  EXPECT_NE(result.message.find("T1 waits for m1 (held by T0)"), std::string::npos) << result.message;
  EXPECT_NE(result.message.find("T0 waits for r1"), std::string::npos) << result.message;
}

TEST(CapiInsideExplore, JoinsAndWaitsForAllAndAny) {
  std::set<std::size_t> first;
  explore_all([&] {
    int ended = 0;
    const std::uint64_t resources[] = {10, 11};
    for (std::uint64_t id : resources) EXPECT_EQ(heddle_create_resource(id), HEDDLE_OK);
    std::thread one = operation(1, [&] {
      EXPECT_EQ(heddle_wait_all(resources, 2), HEDDLE_OK);
      ++ended;
    });
    std::thread two = operation(2, [&] { ++ended; });
    const std::uint64_t ids[] = {1, 2};
    std::size_t which = 9;
    EXPECT_EQ(heddle_join_any(ids, 2, &which), HEDDLE_OK);
    EXPECT_EQ(which, 1u);  // the other waits for main
    for (std::uint64_t id : resources)
      while (heddle_signal_operation(id, 1) != HEDDLE_OK) heddle_yield();
    EXPECT_EQ(heddle_join_all(ids, 2), HEDDLE_OK);
    EXPECT_EQ(ended, 2);
    EXPECT_EQ(heddle_join_operation(1), HEDDLE_OK);
    EXPECT_EQ(heddle_join_any(ids, 2, &which), HEDDLE_OK);
    first.insert(which);
    one.join();
    two.join();
  });
  EXPECT_EQ(first, std::set<std::size_t>{0});
}

TEST(CapiInsideExplore, ForgetsWhatTheLastExecutionDeclared) {
  std::uint64_t executions = 0;
  explore_all([&] {
    ++executions;
    EXPECT_CODE(HEDDLE_UNKNOWN_OPERATION, heddle_join_operation(1));
    EXPECT_CODE(HEDDLE_UNKNOWN_RESOURCE, heddle_signal_resource(10));
    EXPECT_CODE(HEDDLE_OK, heddle_create_resource(10));
    std::thread one = operation(1, [] { heddle_schedule(); });
    std::thread two = operation(2, [] { heddle_schedule(); });
    one.join();
    two.join();
  });
  EXPECT_GT(executions, 5u);
}

TEST(CapiInsideExplore, ReturnsTheSameErrors) {
  explore_all([] {
    std::uint64_t id = 99;
    EXPECT_CODE(HEDDLE_OK, heddle_current_operation(&id));
    EXPECT_EQ(id, 0u);
    EXPECT_CODE(HEDDLE_ALREADY_EXPLORING, heddle_open("random", 1));
    EXPECT_CODE(HEDDLE_ALREADY_EXPLORING, heddle_close());
    EXPECT_CODE(HEDDLE_ALREADY_EXPLORING, heddle_set_option("steps_max", 1));
    EXPECT_CODE(HEDDLE_ALREADY_EXPLORING, heddle_attach());
    EXPECT_CODE(HEDDLE_ALREADY_EXPLORING, heddle_detach());
    EXPECT_CODE(HEDDLE_ALREADY_EXPLORING, heddle_save_trace("no.trace"));
    EXPECT_CODE(HEDDLE_ALREADY_EXPLORING, heddle_replay("no.trace"));
    EXPECT_CODE(HEDDLE_MAIN_CREATED, heddle_create_operation(0));
    EXPECT_CODE(HEDDLE_MAIN_STARTED, heddle_start_operation(0));
    EXPECT_CODE(HEDDLE_MAIN_ENDED, heddle_end_operation(0));
    EXPECT_CODE(HEDDLE_BAD_ARGUMENT, heddle_fail(nullptr));
    EXPECT_CODE(HEDDLE_OK, heddle_create_operation(1));
    EXPECT_CODE(HEDDLE_DUPLICATE_OPERATION, heddle_create_operation(1));
    EXPECT_CODE(HEDDLE_THREAD_TAKEN, heddle_start_operation(1));
    EXPECT_CODE(HEDDLE_NOT_STARTED, heddle_end_operation(1));
    std::thread one([] {
      std::uint64_t none;
      EXPECT_CODE(HEDDLE_NOT_STARTED, heddle_current_operation(&none));  // under control, but without an id
      EXPECT_CODE(HEDDLE_OK, heddle_schedule());
      EXPECT_CODE(HEDDLE_OK, heddle_start_operation(1));
      EXPECT_CODE(HEDDLE_ALREADY_STARTED, heddle_start_operation(1));
      EXPECT_CODE(HEDDLE_BAD_ARGUMENT, heddle_join_operation(1));
      EXPECT_CODE(HEDDLE_OK, heddle_end_operation(1));
      EXPECT_CODE(HEDDLE_ALREADY_ENDED, heddle_end_operation(1));
      EXPECT_CODE(HEDDLE_OK, heddle_create_operation(1));  // may be used again, by the same thread too
      EXPECT_CODE(HEDDLE_OK, heddle_start_operation(1));
      EXPECT_CODE(HEDDLE_OK, heddle_schedule());
      EXPECT_CODE(HEDDLE_OK, heddle_end_operation(1));
    });
    const heddle_code code = heddle_end_operation(1);
    EXPECT_TRUE(code == HEDDLE_NOT_STARTED || code == HEDDLE_NOT_RUNNING || code == HEDDLE_ALREADY_ENDED);
    EXPECT_CODE(HEDDLE_OK, heddle_join_operation(1));
    one.join();
  });
}

TEST(CapiInsideExplore, ChoosesEveryValue) {
  std::set<std::tuple<bool, std::uint32_t, bool>> seen;
  const std::uint64_t executions = explore_all([&] {
    bool flag, fails;
    std::uint32_t value;
    EXPECT_EQ(heddle_choose_boolean(&flag), HEDDLE_OK);
    EXPECT_EQ(heddle_choose_integer(3, &value), HEDDLE_OK);
    EXPECT_EQ(heddle_inject_failure(&fails), HEDDLE_OK);
    EXPECT_EQ(heddle_observe(1, value), HEDDLE_OK);
    seen.insert({flag, value, fails});
  });
  EXPECT_EQ(executions, 12u);
  EXPECT_EQ(seen.size(), 12u);
}

TEST(CapiInsideExplore, IsNoCancellationPoint) {
  explore_all([] {
    EXPECT_EQ(heddle_create_resource(1), HEDDLE_OK);
    static bool joined, went_on;
    joined = went_on = false;
    std::thread waits = operation(1, [] { EXPECT_EQ(heddle_wait_resource(1), HEDDLE_OK); });
    const auto join_it = [](void*) -> void* {
      EXPECT_EQ(heddle_schedule_event(HEDDLE_ACQUIRE, 2), HEDDLE_OK);
      EXPECT_EQ(heddle_join_operation(1), HEDDLE_OK);
      joined = true;
      pthread_testcancel();
      went_on = true;
      return nullptr;
    };
    pthread_t joins;
    EXPECT_EQ(pthread_create(&joins, nullptr, join_it, nullptr), 0);
    EXPECT_EQ(pthread_cancel(joins), 0);
    while (heddle_signal_operation(1, 1) != HEDDLE_OK) heddle_yield();
    EXPECT_EQ(pthread_join(joins, nullptr), 0);
    EXPECT_TRUE(joined);
    EXPECT_FALSE(went_on);
    waits.join();
  });
}

TEST(CapiInsideExplore, LeavesASessionOfTheProcessAlone) {
  ASSERT_EQ(heddle_open("random", 1), HEDDLE_OK);
  explore_all([] { EXPECT_CODE(HEDDLE_ALREADY_EXPLORING, heddle_close()); });
  EXPECT_EQ(heddle_attach(), HEDDLE_OK);
  EXPECT_EQ(heddle_schedule(), HEDDLE_OK);
  EXPECT_EQ(heddle_detach(), HEDDLE_OK);
  EXPECT_EQ(heddle_close(), HEDDLE_OK);
}

}  // namespace
