#include <gtest/gtest.h>

#include <map>

#include "strategy/builtin.hpp"
#include "support/fake_view.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"
#include "support/statistics.hpp"

namespace heddle::test {
namespace {

constexpr int kDraws = 100'000;

TEST(RandomWalk, IsUniformOverTheEnabledOperations) {
  const auto strategy = strategy::make_random();
  Random random(1);
  for (std::uint32_t enabled = 2; enabled <= 8; ++enabled) {
    ASSERT_TRUE(strategy->begin(random));
    std::vector<std::uint64_t> counts(enabled);
    for (int i = 0; i < kDraws; ++i) ++counts[index(strategy->choose_operation(view_of_first(enabled)))];
    EXPECT_GT(chance_if_uniform(counts), kSurprise) << enabled;
  }
}

TEST(RandomWalk, IsUniformOverValues) {
  const auto strategy = strategy::make_random();
  Random random(2);
  ASSERT_TRUE(strategy->begin(random));
  for (std::uint32_t bound : {2u, 3u, 7u, 10u, 100u}) {
    std::vector<std::uint64_t> counts(bound);
    for (int i = 0; i < kDraws; ++i) ++counts[strategy->choose_value(view_of_first(2), bound)];
    EXPECT_GT(chance_if_uniform(counts), kSurprise) << bound;
  }
}

TEST(RandomWalk, IsTheProductOfItsChoices) {
  // Two operations of two steps. While both are enabled each choice halves the probability: AABB and BBAA have two
  // choices, the four others three.
  const auto strategy = strategy::make_random();
  std::map<std::vector<std::uint32_t>, std::uint64_t> counts;
  explore(independent(2, 2), *strategy, 3, kDraws, [&](const Result& result) {
    std::vector<std::uint32_t> order;
    for (const Step& step : result.steps) order.push_back(index(step.who));
    ++counts[order];
    return true;
  });
  ASSERT_EQ(counts.size(), 6u);
  std::vector<std::uint64_t> seen;
  for (const auto& [order, count] : counts) seen.push_back(count);  // in the order 1122 1212 1221 2112 2121 2211
  EXPECT_GT(chance_of(seen, {1. / 4, 1. / 8, 1. / 8, 1. / 8, 1. / 8, 1. / 4}), kSurprise);
}

// --- sticky --------------------------------------------------------------------------------------------------------

/// How often each of four operations is chosen, when 2 took the last step.
std::vector<std::uint64_t> draw_sticky(double stay, bool yields, std::vector<std::uint32_t> enabled) {
  const auto strategy = strategy::make_sticky(stay);
  Random random(4);
  EXPECT_TRUE(strategy->begin(random));
  std::vector<std::uint64_t> counts(4);
  const FakeView view(enabled, 2, yields);
  for (int i = 0; i < kDraws; ++i) ++counts[index(strategy->choose_operation(view))];
  return counts;
}

TEST(Sticky, StaysWithItsProbabilityAndElseGoesToTheOthersAlike) {
  for (double stay : {0.1, 0.5, 0.9}) {
    const double leave = (1 - stay) / 3;
    EXPECT_GT(chance_of(draw_sticky(stay, false, {0, 1, 2, 3}), {leave, leave, stay, leave}), kSurprise) << stay;
  }
}

TEST(Sticky, LeavesAnOperationThatYields) {
  std::vector<std::uint64_t> counts = draw_sticky(0.9, true, {0, 1, 2, 3});
  EXPECT_EQ(counts[2], 0u);
  counts.erase(counts.begin() + 2);
  EXPECT_GT(chance_if_uniform(counts), kSurprise);
}

TEST(Sticky, IsUniformWhenTheCurrentOperationCannotGoOn) {
  std::vector<std::uint64_t> counts = draw_sticky(0.9, false, {0, 1, 3});
  EXPECT_EQ(counts[2], 0u);
  counts.erase(counts.begin() + 2);
  EXPECT_GT(chance_if_uniform(counts), kSurprise);
}

// --- round-robin ---------------------------------------------------------------------------------------------------

TEST(RoundRobin, TakesTheNextInTheOrderOfCreation) {
  const auto strategy = strategy::make_round_robin();
  Random random(0);
  ASSERT_TRUE(strategy->begin(random));
  EXPECT_EQ(strategy->choose_operation(FakeView({1, 3, 5}, 3)), OperationId{5});
  EXPECT_EQ(strategy->choose_operation(FakeView({1, 3, 5}, 4)), OperationId{5});
  EXPECT_EQ(strategy->choose_operation(FakeView({1, 3, 5}, 5)), OperationId{1});
  EXPECT_EQ(strategy->choose_operation(FakeView({1, 3, 5}, 0)), OperationId{1});
  EXPECT_EQ(strategy->choose_value(view_of_first(2), 7), 0u);
  EXPECT_FALSE(strategy->begin(random));
}

TEST(RoundRobin, SwitchesAtEveryPoint) {
  const Result result = run_once(independent(3, 3), *strategy::make_round_robin(), 1);
  ASSERT_EQ(result.steps.size(), 10u);
  for (std::size_t i = 1; i < result.steps.size(); ++i) EXPECT_EQ(index(result.steps[i].who), (i - 1) % 3 + 1) << i;
}

}  // namespace
}  // namespace heddle::test
