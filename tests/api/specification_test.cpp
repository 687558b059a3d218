// heddle::always and heddle::eventually in bodies with ordinary threads.
#include "heddle/specification.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

heddle::Options few(std::uint64_t executions = 500) {
  heddle::Options options;
  options.executions = executions;
  options.output = heddle::Output::quiet;
  options.trace_directory = "";
  return options;
}

/// Two threads take from an account; `checks_inside`: each looks and takes under one lock.
void withdraw_twice(bool checks_inside) {
  int balance = 10;
  std::mutex mutex;
  const auto safe = heddle::always([&] { return balance >= 0; }, "the account is not overdrawn");
  const auto take = [&] {
    std::unique_lock lock(mutex);
    const bool enough = balance >= 10;
    if (!checks_inside) {
      lock.unlock();
      lock.lock();
    }
    if (!enough) return;
    balance -= 10;
    lock.unlock();
    lock.lock();  // a step at which it is looked at
    if (balance < 0) balance = 0;
  };
  std::thread one(take), two(take);
  one.join();
  two.join();
}

TEST(Always, is_checked_at_every_step) {
  const heddle::Result result = heddle::try_explore([] { withdraw_twice(false); }, few());
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_EQ(result.message, "the account is not overdrawn: does not hold");
  EXPECT_TRUE(result.reproduced);
}

TEST(Always, holds_in_the_correct_program) {
  EXPECT_FALSE(heddle::try_explore([] { withdraw_twice(true); }, few()).bug_found);
}

TEST(Always, ends_with_its_guard) {
  const heddle::Result result = heddle::try_explore(
      [] {
        int value = 0;
        {
          const auto safe = heddle::always([&] { return value == 0; }, "stays 0");
        }
        value = 1;
        heddle::step();
      },
      few(10));
  EXPECT_FALSE(result.bug_found);
}

TEST(Eventually, may_hold_at_any_step) {
  const heddle::Result result = heddle::try_explore(
      [] {
        std::mutex mutex;
        bool flag = false;
        const auto seen = heddle::eventually([&] { return flag; }, "the flag is set");
        std::thread other([&] {
          flag = true;
          const std::lock_guard lock(mutex);
          flag = false;
        });
        other.join();
      },
      few());
  EXPECT_FALSE(result.bug_found);
}

TEST(Eventually, must_have_held_at_the_end) {
  const heddle::Result result =
      heddle::try_explore([] { const auto never = heddle::eventually([] { return false; }, "it is done"); }, few(10));
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_EQ(result.message, "it is done: never held");
}

TEST(Eventually, is_given_up_after_half_of_the_steps) {
  heddle::Options options = few(10);
  options.steps_max = 1000;
  options.strategy = "random";
  std::uint64_t steps = 0;
  const heddle::Result result = heddle::try_explore(
      [&] {
        steps = 0;
        const auto never = heddle::eventually([] { return false; }, "it is done");
        for (;; ++steps) heddle::step();
      },
      options);
  EXPECT_EQ(result.verdict, "specification");
  EXPECT_EQ(result.message, "it is done: has not held for too long");
  EXPECT_NEAR(static_cast<double>(steps), 500, 2);
}

TEST(Eventually, leaves_an_exception_its_verdict) {
  const heddle::Result result = heddle::try_explore(
      [] {
        const auto never = heddle::eventually([] { return false; }, "it is done");
        throw std::runtime_error("first");
      },
      few(10));
  EXPECT_EQ(result.verdict, "exception");
}

TEST(Specifications, hold_outside_an_exploration_too) {
  {
    const auto fine = heddle::always([] { return true; }, "fine");
  }
  EXPECT_DEATH({ const auto wrong = heddle::always([] { return false; }, "wrong"); },
               "a specification outside an exploration: wrong: does not hold");
}

}  // namespace
