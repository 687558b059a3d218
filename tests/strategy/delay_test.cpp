#include <gtest/gtest.h>

#include <map>

#include "strategy/builtin.hpp"
#include "support/enumerate.hpp"
#include "support/fake_view.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"
#include "support/statistics.hpp"

namespace heddle::test {
namespace {

std::string order(const Result& result) {
  std::string text;
  for (const Step& step : result.steps) text += std::to_string(index(step.who));
  return text;
}

TEST(Delay, WithoutDelaysIsTheNonPreemptiveSchedule) {
  const auto strategy = strategy::make_delay(0);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(order(run_once(independent(3, 3), *strategy, 1)), "0111222333");
}

TEST(Delay, HasNoDelayInTheFirstExecution) {
  EXPECT_EQ(order(run_once(independent(3, 3), *strategy::make_delay(10), 1)), "0111222333");
}

TEST(Delay, OneDelayIsUniformOverTheLearnedLength) {
  // Two operations A and B of m = 4 steps. Undelayed, A and then B run, and both are enabled at 4 points. A delay at
  // point j lets A take j-1 steps and then B all of its own: j-1+4 points, so k becomes 7. Points 5 to 7 are never
  // reached in the undelayed schedule, which therefore stays as it is three times in seven.
  constexpr std::uint64_t kWarmUp = 200, kExecutions = 70'000;
  const auto strategy = strategy::make_delay(1);
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t done = 0;
  explore(independent(2, 4), *strategy, 3, kWarmUp + kExecutions, [&](const Result& result) {
    if (done++ >= kWarmUp) ++counts[order(result)];
    return true;
  });
  ASSERT_EQ(counts.size(), 5u);
  const std::vector<std::uint64_t> seen = {counts["022221111"], counts["012222111"], counts["011222211"],
                                           counts["011122221"], counts["011112222"]};
  EXPECT_GT(chance_of(seen, {1. / 7, 1. / 7, 1. / 7, 1. / 7, 3. / 7}), kSurprise);
}

TEST(Delay, NeverSpendsMoreDelaysThanItHas) {
  const Program program = independent(3, 3);
  std::map<std::vector<std::uint32_t>, std::uint32_t> cost;
  const auto bits = [](const Schedule& schedule) {
    std::vector<std::uint32_t> all;
    for (Choice choice : schedule) all.push_back(choice.bits());
    return all;
  };
  const auto all = enumerate(program, 2000);
  ASSERT_TRUE(all);
  for (const Terminal& terminal : *all) cost[bits(terminal.schedule)] = terminal.delays;
  for (std::uint32_t delays : {1u, 2u, 4u}) {
    const auto strategy = strategy::make_delay(delays);
    std::uint32_t most = 0;
    explore(program, *strategy, 4, 3'000, [&](const Result& result) {
      most = std::max(most, cost.at(bits(result.schedule)));
      return true;
    });
    EXPECT_EQ(most, delays);
  }
}

TEST(Delay, DelaysAtOnePointAddUpButDoNotGoRound) {
  const auto strategy = strategy::make_delay(1000);
  Random random(1);
  const Verdict passed;
  ASSERT_TRUE(strategy->begin(random));
  strategy->choose_operation(FakeView({0, 1, 2}, 0));
  strategy->end({passed, 1, {}});
  ASSERT_TRUE(strategy->begin(random));  // k is 1: all thousand fall on the first point
  EXPECT_EQ(strategy->choose_operation(FakeView({0, 1, 2}, 1)), OperationId{0});  // 1, 2, 0: the last one round
}

}  // namespace
}  // namespace heddle::test
