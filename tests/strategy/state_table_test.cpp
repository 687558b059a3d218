// What is known of states and actions: the same as in a map, but for what was not met for long.
#include "strategy/learning/state_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/hash.hpp"
#include "base/random.hpp"

namespace heddle::test {
namespace {

using strategy::StateTable;

TEST(StateTable, IsAMapOfStatesAndActions) {
  StateTable table(-1);
  std::map<std::uint64_t, float> visits;
  std::map<std::pair<std::uint64_t, std::uint32_t>, float> worths;
  Random random(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint64_t state = mix(random.below(500));
    const std::uint32_t name = random.below(40);  // more than stand together
    const std::uint32_t number = table.find(state);
    EXPECT_EQ(table.visits(number), visits[state]);
    ++table.visits(number);
    ++visits[state];
    float& worth = table.worth(table.action(number, name, random.below(10)));  // asked for in any place
    const auto known = worths.try_emplace({state, name}, -1.0f).first;
    ASSERT_EQ(worth, known->second);
    worth = known->second = static_cast<float>(random.unit());
    if (i % 100 != 0) continue;
    float best = -1;
    for (const auto& [action, known_worth] : worths)
      if (action.first == state) best = std::max(best, known_worth);
    ASSERT_EQ(table.best(number), best);
  }
}

/// Meets as many states as a generation holds.
void meet_others(StateTable& table, std::uint64_t first) {
  for (std::uint64_t i = 0; i < StateTable::kGeneration; ++i) (void)table.find(mix(first + i));
}

TEST(StateTable, ForgetsWhatWasNotMetWhileAGenerationWas) {
  StateTable table(0);
  const auto write = [&](std::uint64_t state) {
    const std::uint32_t number = table.find(state);
    table.visits(number) = 3;
    for (std::uint32_t name = 0; name < 20; ++name) table.worth(table.action(number, name, name)) = 1.0f + name;
  };
  const auto is_known = [&](std::uint64_t state) {
    const std::uint32_t number = table.find(state);
    bool is_whole = table.visits(number) == 3;
    for (std::uint32_t name = 0; name < 20; ++name)
      is_whole &= table.worth(table.action(number, name, name)) == 1.0f + name;
    return is_whole;
  };
  EXPECT_FALSE(table.forget());
  write(1);
  write(2);
  meet_others(table, 1'000'000);
  EXPECT_TRUE(table.forget());
  EXPECT_TRUE(is_known(1));  // which meets it again
  meet_others(table, 2'000'000);
  EXPECT_TRUE(table.forget());
  EXPECT_TRUE(is_known(1));
  EXPECT_FALSE(is_known(2));
}

TEST(StateTable, CanForgetWorthsAndKeepVisits) {
  StateTable table(-1);
  const std::uint32_t number = table.find(1);
  table.visits(number) = 3;
  table.worth(table.action(number, 0, 0)) = 7;
  meet_others(table, 1'000'000);
  EXPECT_TRUE(table.forget());
  table.forget_worths();
  const std::uint32_t again = table.find(1);
  EXPECT_EQ(table.visits(again), 3);
  EXPECT_EQ(table.worth(table.action(again, 0, 0)), -1);
}

}  // namespace
}  // namespace heddle::test
