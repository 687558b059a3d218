// Which points executions have, in simulated programs of which it is known what each level still has to show.
#include "engine/granularity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/hash.hpp"

namespace heddle::engine {
namespace {

const std::vector<Points> kLevels = {Points::sync, Points::atomic, Points::racy, Points::all};

/// Calls `shows(points)` for each execution. Returns the levels in the order in which they had their turns.
template <typename Shows>
std::vector<Points> explore(const Levels& levels, int executions, std::uint64_t seed, const Shows& shows) {
  Granularity granularity(levels);
  std::vector<Points> had;
  for (int i = 0; i < executions; ++i) {
    Random random(combine(seed, static_cast<std::uint64_t>(i)));
    had.push_back(granularity.next(random));
    granularity.saw(shows(had.back()));
  }
  return had;
}

/// Levels have so many schedules, of which each execution shows the next one.
std::vector<Points> turns(std::map<Points, int> schedules, int executions, std::uint64_t seed = 1) {
  return explore({kLevels}, executions, seed, [&](Points points) { return schedules[points]-- > 0; });
}

/// Each execution of a level shows something new with this chance.
std::vector<Points> turns_by_chance(std::map<Points, double> chances, int executions) {
  Random luck(3);
  return explore({kLevels}, executions, 1, [&](Points points) { return luck.unit() < chances[points]; });
}

long first(const std::vector<Points>& had, Points points) {
  return std::find(had.begin(), had.end(), points) - had.begin();
}

long count(const std::vector<Points>& had, Points points) { return std::count(had.begin(), had.end(), points); }

TEST(Granularity, BeginsWithTheCoarsestOnceAndGoesOnWithTheFinest) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto had = turns({{Points::sync, 99}, {Points::atomic, 99}, {Points::racy, 99}}, 3, seed);
    EXPECT_EQ(had, (std::vector<Points>{Points::sync, Points::racy, Points::atomic}));
  }
}

bool a_race_was_seen;
bool an_atomic_was_seen;
const Levels kLevelsAsSeen = {
    kLevels, [](Points points) { return points == Points::racy ? a_race_was_seen : an_atomic_was_seen; }};

TEST(Granularity, HasALevelInTheExecutionAfterTheOneThatShowedItHasMore) {
  constexpr int kAtomic = 10, kRace = 25;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    a_race_was_seen = an_atomic_was_seen = false;
    int executions = 0;
    const auto had = explore(kLevelsAsSeen, 100, seed, [&](Points) {
      an_atomic_was_seen |= ++executions == kAtomic;
      a_race_was_seen |= executions == kRace;
      return true;
    });
    EXPECT_EQ(first(had, Points::atomic), kAtomic) << seed;
    EXPECT_EQ(first(had, Points::racy), kRace) << seed;
  }
}

TEST(Granularity, HasNoTurnForALevelWithoutMore) {
  a_race_was_seen = an_atomic_was_seen = false;
  const auto had = explore(kLevelsAsSeen, 1000, 1, [](Points) { return false; });
  EXPECT_EQ(count(had, Points::atomic) + count(had, Points::racy), 0);
  EXPECT_GT(count(had, Points::all), 0);
}

TEST(Granularity, SharesTheTurnsEvenlyWhileEverythingIsNew) {
  const auto had = turns({{Points::sync, 1'000'000}, {Points::atomic, 1'000'000}, {Points::racy, 1'000'000}}, 3000);
  // A third of 3,000 each, minus 4 standard deviations of 26.
  for (const Points points : {Points::sync, Points::atomic, Points::racy}) EXPECT_GT(count(had, points), 1000 - 104);
  EXPECT_EQ(count(had, Points::all), 0);
}

TEST(Granularity, PrefersTheLevelThatShowsMoreAndStarvesNone) {
  for (const Points best : {Points::sync, Points::atomic, Points::racy}) {
    std::map<Points, double> chances = {{Points::sync, 0.1}, {Points::atomic, 0.1}, {Points::racy, 0.1}};
    chances[best] = 0.9;
    const auto had = turns_by_chance(chances, 3000);
    // It has a third of the 17 turns in 32 that are shared, and nearly all of the others: 0.646 of 3,000, minus 4
    // standard deviations of 26, and a twentieth for what the others are given until they are known, and later when a
    // draw errs.
    EXPECT_GT(count(had, best), 1938 - 104 - 150);
    // Each of the others has a third of those 17: 0.177, minus 4 standard deviations of 21, and minus a tenth for the
    // times at which it seems exhausted.
    for (const Points points : {Points::sync, Points::atomic, Points::racy}) EXPECT_GT(count(had, points), 478 - 84);
  }
}

TEST(Granularity, FollowsTheLevelThatStillShowsSomething) {
  // What is new wears off at one level, and another begins to show more.
  Random luck(4);
  int executions = 0;
  const auto had = explore({{Points::sync, Points::racy}}, 4000, 1, [&](Points points) {
    const bool is_later = ++executions > 2000;
    return luck.unit() < ((points == Points::sync) == is_later ? 0.2 : 0.8);
  });
  const std::vector<Points> early(had.begin() + 400, had.begin() + 2000), late(had.begin() + 2400, had.end());
  // Once that is known, 17 / 64 + 15 / 32 = 0.73 of 1,600 turns, minus 4 standard deviations of 18 and a twentieth.
  EXPECT_GT(count(early, Points::sync), 1168 - 72 - 80);
  EXPECT_GT(count(late, Points::racy), 1168 - 72 - 80);
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
  Granularity granularity({{Points::sync, Points::racy, Points::all}});
  Random random(7);
  for (int i = 0; i < 200; ++i) granularity.saw(granularity.next(random) == Points::racy);
  int of_sync = 0;
  for (int i = 0; i < 400; ++i) {
    of_sync += granularity.next(random) == Points::sync;
    granularity.saw(true);
  }
  // From its first turn on, after 32 on average, at least 17 of 64: 98, minus 4 standard deviations of 9.
  EXPECT_GT(of_sync, 62);
}

TEST(Granularity, ChoosesTheSameForTheSameSeed) {
  const std::map<Points, int> many = {{Points::sync, 9999}, {Points::atomic, 9999}, {Points::racy, 9999}};
  EXPECT_EQ(turns(many, 1000, 5), turns(many, 1000, 5));
  EXPECT_NE(turns(many, 1000, 5), turns(many, 1000, 6));
}

TEST(Granularity, TellsHowManyExecutionsEachLevelHad) {
  Granularity granularity({{Points::sync, Points::racy, Points::all}});
  EXPECT_EQ(granularity.text(), "");
  for (const Points points : {Points::racy, Points::sync, Points::sync}) granularity.count(points);
  EXPECT_EQ(granularity.text(), "2 at sync, 1 at racy");
}

}  // namespace
}  // namespace heddle::engine
