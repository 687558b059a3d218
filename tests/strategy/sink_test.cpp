// The promises of sinking priorities.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "strategy/builtin.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"
#include "support/statistics.hpp"

namespace heddle::test {
namespace {

/// `operations` that write `steps` times, each to a variable of its own or all to one.
Program writers(std::uint32_t operations, std::uint32_t steps, bool to_one) {
  Program program;
  program.operations.push_back({create(1, operations)});
  for (std::uint32_t i = 0; i < operations; ++i) program.operations.emplace_back(steps, write(to_one ? 0 : i, 1));
  return program;
}

/// How many steps in a row the first one takes who has a choice.
std::uint32_t first_run(const Result& result) {
  std::uint32_t length = 1;
  while (result.steps[1 + length].who == result.steps[1].who) ++length;
  return length;
}

std::vector<std::uint64_t> first_runs(const Program& program, std::uint32_t every, std::uint32_t longest) {
  constexpr std::uint64_t kExecutions = 20'000;
  std::vector<std::uint64_t> counts(longest);
  explore(program, *strategy::make_sinking_priorities(every), 1, kExecutions, [&](const Result& result) {
    ++counts[std::min(first_run(result), longest) - 1];
    return true;
  });
  return counts;
}

// Without races only sinking ends a run, after each step with the same chance.
TEST(Sink, RunsAreGeometricWhereNobodyRaces) {
  constexpr std::uint32_t kLongest = 12;
  for (const std::uint32_t every : {2u, 5u, 30u}) {
    std::vector<double> expected(kLongest);
    const double stay = 1 - 1.0 / every;
    for (std::uint32_t i = 0; i < kLongest; ++i) expected[i] = std::pow(stay, i) / every;
    expected.back() = std::pow(stay, kLongest - 1);
    EXPECT_GT(chance_of(first_runs(writers(3, 100, false), every, kLongest), expected), kSurprise) << every;
  }
}

// Where all race, the n-1 others draw again at every step. Who goes first has the highest of n priorities, uniform
// each; its run is longer than k if it sinks at none of k steps and stays above k draws of n-1: an integral over its
// priority of n p^(n-1) p^((n-1) k), which is n / (n + (n-1) k).
TEST(Sink, WhoLosesARaceDrawsAgain) {
  constexpr std::uint32_t kLongest = 8;
  constexpr double kEvery = 5;
  for (const std::uint32_t n : {2u, 4u}) {
    const auto longer_than = [&](std::uint32_t k) { return std::pow(1 - 1 / kEvery, k) * n / (n + (n - 1.0) * k); };
    std::vector<double> expected(kLongest);
    for (std::uint32_t i = 0; i + 1 < kLongest; ++i) expected[i] = longer_than(i) - longer_than(i + 1);
    expected.back() = longer_than(kLongest - 1);
    EXPECT_GT(chance_of(first_runs(writers(n, 100, true), 5, kLongest), expected), kSurprise) << n;
  }
}

TEST(Sink, WhoSinksAtEveryStepWaitsForAllOthers) {
  const Result result = run_once(writers(3, 5, false), *strategy::make_sinking_priorities(1), 7);
  ASSERT_EQ(result.steps.size(), 16u);
  for (std::size_t i = 4; i < result.steps.size(); ++i) EXPECT_EQ(result.steps[i].who, result.steps[i - 3].who) << i;
}

}  // namespace
}  // namespace heddle::test
