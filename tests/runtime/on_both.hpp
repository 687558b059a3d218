// Tests that run on both executors: all threads on one carrier, and a thread each with a baton.
#pragma once

#include <gtest/gtest.h>

#include <cassert>  // what fails inside a body is an assertion, so that it is a verdict
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include <heddle/heddle.hpp>

namespace heddle::test {

class OnBoth : public testing::TestWithParam<Executor> {
 protected:
  Options options(std::string strategy) const {
    Options made;
    made.strategy = std::move(strategy);
    made.executor = GetParam();
    made.executions = GetParam() == Executor::carrier ? 1000 : 200;  // a hand-over costs microseconds on the baton
    made.output = Output::quiet;
    made.trace_directory = "";
    return made;
  }

  /// Nothing is found under strategies of three kinds.
  void passes(const Body& body, const std::function<void(Options&)>& change = {}) const {
    for (const char* strategy : {"random", "pct", "ipb"}) {
      Options made = options(strategy);
      if (change) change(made);
      const Result result = try_explore(body, made);
      EXPECT_FALSE(result.bug_found) << strategy << ": " << result.report;
      EXPECT_EQ(result.cut, 0u) << strategy;
    }
  }

  /// Every schedule passes; returns how many there are.
  std::uint64_t passes_always(const Body& body, std::uint64_t executions_max = 20'000) const {
    Options made = options("dfs");
    made.executions = executions_max;
    const Result result = try_explore(body, made);
    EXPECT_FALSE(result.bug_found) << result.report;
    EXPECT_TRUE(result.complete) << "more than " << executions_max << " schedules";
    EXPECT_EQ(result.explored, "every schedule");
    return result.executions;
  }

  Result finds(const std::string& verdict, const Body& body, const std::function<void(Options&)>& change = {}) const {
    Options made = options("random");
    if (change) change(made);
    Result result = try_explore(body, made);
    EXPECT_TRUE(result.bug_found) << result.report;
    EXPECT_EQ(result.verdict, verdict) << result.message;
    EXPECT_TRUE(result.reproduced) << result.message;
    return result;
  }
};

inline std::string name_of(const testing::TestParamInfo<Executor>& info) {
  return info.param == Executor::carrier ? "Carrier" : "Baton";
}

/// What happened in the executions of a body, to see that all that can happen does.
template <typename Value>
using Seen = std::set<Value>;

}  // namespace heddle::test

#define HEDDLE_ON_BOTH(Suite)     \
  class Suite : public OnBoth {}; \
  INSTANTIATE_TEST_SUITE_P(On, Suite, testing::Values(Executor::carrier, Executor::baton), name_of)
