#include "engine/granularity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/hash.hpp"

namespace heddle::engine {
namespace {

const std::vector<Points> kLevels = {Points::sync, Points::atomic, Points::racy, Points::all};

/// Levels have so many schedules, of which each execution shows the next one. Returns the levels in the order in which
/// they had their turns.
std::vector<Points> turns(std::map<Points, int> schedules, int executions, std::uint64_t seed = 1) {
  Granularity granularity(kLevels);
  std::vector<Points> had;
  for (int i = 0; i < executions; ++i) {
    Random random(combine(seed, static_cast<std::uint64_t>(i)));
    had.push_back(granularity.next(random));
    granularity.saw(schedules[had.back()]-- > 0);
  }
  return had;
}

long first(const std::vector<Points>& had, Points points) {
  return std::find(had.begin(), had.end(), points) - had.begin();
}

long count(const std::vector<Points>& had, Points points) { return std::count(had.begin(), had.end(), points); }

TEST(Granularity, BeginsCoarseAndGoesOnToFinerLevels) {
  const auto had = turns({{Points::sync, 1'000'000}, {Points::atomic, 1'000'000}, {Points::racy, 1'000'000}}, 3000);
  EXPECT_EQ(first(had, Points::sync), 0);
  EXPECT_GE(first(had, Points::atomic), static_cast<long>(Granularity::kFirstShare));
  EXPECT_GE(first(had, Points::racy), 2 * static_cast<long>(Granularity::kFirstShare));
  EXPECT_LT(first(had, Points::racy), 40);
  // Each has a third of the 3,000, minus 4 standard deviations of 26 and the few before all were open.
  for (const Points points : {Points::sync, Points::atomic, Points::racy})
    EXPECT_GT(count(had, points), 1000 - 104 - 40);
  EXPECT_EQ(count(had, Points::all), 0);
}

TEST(Granularity, LeavesALevelThatShowsNothingNew) {
  const auto had = turns({{Points::sync, 3}, {Points::atomic, 1'000'000}, {Points::racy, 1'000'000}}, 3000);
  // Exhausted after 3 + q executions, q = 16 + (3 + q) / 4: 26 in all. Then a third of one turn in 16, 62 of 3,000,
  // plus 4 standard deviations of 8.
  EXPECT_LT(count(had, Points::sync), 26 + 62 + 32);
}

TEST(Granularity, HasTheFinestLevelOnlyWhenAllOthersAreExhausted) {
  EXPECT_EQ(count(turns({{Points::sync, 5}, {Points::atomic, 5}, {Points::racy, 1'000'000}}, 10'000), Points::all), 0);
  const auto had = turns({{Points::sync, 5}, {Points::atomic, 5}, {Points::racy, 5}, {Points::all, 1'000'000}}, 1000);
  EXPECT_GE(first(had, Points::all), 3 * (5 + static_cast<long>(Granularity::kQuiet)));
  EXPECT_GT(count(had, Points::all), 600);
}

TEST(Granularity, GoesOnWhenEverythingIsExhausted) {
  const auto had = turns({}, 2000);
  EXPECT_EQ(had.size(), 2000u);
  for (const Points points : kLevels) EXPECT_GT(count(had, points), static_cast<long>(Granularity::kQuiet));
}

TEST(Granularity, ComesBackToALevelThatShowsSomethingNewAgain) {
  Granularity granularity({Points::sync, Points::racy, Points::all});
  Random random(7);
  for (int i = 0; i < 200; ++i) granularity.saw(granularity.next(random) == Points::racy);
  int of_sync = 0;
  for (int i = 0; i < 400; ++i) {
    of_sync += granularity.next(random) == Points::sync;
    granularity.saw(true);
  }
  EXPECT_GT(of_sync, 100);  // from its first turn on, after 32 on average, every second is its own
}

TEST(Granularity, ChoosesTheSameForTheSameSeed) {
  const std::map<Points, int> many = {{Points::sync, 9999}, {Points::atomic, 9999}, {Points::racy, 9999}};
  EXPECT_EQ(turns(many, 1000, 5), turns(many, 1000, 5));
  EXPECT_NE(turns(many, 1000, 5), turns(many, 1000, 6));
}

TEST(Granularity, TellsHowManyExecutionsEachLevelHad) {
  Granularity granularity({Points::sync, Points::racy, Points::all});
  EXPECT_EQ(granularity.text(), "");
  for (const Points points : {Points::racy, Points::sync, Points::sync}) granularity.count(points);
  EXPECT_EQ(granularity.text(), "2 at sync, 1 at racy");
}

}  // namespace
}  // namespace heddle::engine
