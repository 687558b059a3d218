// The rings that are found are those that a naive search over all operations finds.
#include "strategy/predicting/lock_rings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"

namespace heddle::strategy {
namespace {

using model::Does;

/// An operation takes a lock while it holds others.
struct Moment {
  std::uint32_t who = 0;
  std::vector<std::pair<std::uint32_t, Does>> held;
  std::uint32_t wanted = 0;
  Does wants = Does::takes;

  std::vector<std::uint32_t> alone() const {
    std::vector<std::uint32_t> locks;
    for (const auto& [lock, does] : held)
      if (does == Does::takes) locks.push_back(lock);
    return locks;
  }
};

Moment any_moment(Random& random, std::uint32_t operations, std::uint32_t locks) {
  Moment moment;
  moment.who = random.below(operations);
  std::vector<std::uint32_t> order;
  for (std::uint32_t lock = 1; lock <= locks; ++lock) order.insert(order.begin() + random.below(lock), lock);
  const auto does = [&] { return random.below(4) == 0 ? Does::shares : Does::takes; };
  const std::uint32_t holds = 1 + random.below(2);
  for (std::uint32_t i = 0; i < holds; ++i) moment.held.emplace_back(order[i], does());
  moment.wanted = order[holds];
  moment.wants = does();
  return moment;
}

void learn(LockRings& rings, const Moment& moment) {
  std::uint64_t what = 0;
  for (const auto& [lock, does] : moment.held) what += mix(lock << 1 | (does == Does::shares));
  for (const auto& [lock, does] : moment.held)
    rings.learn({lock, moment.wanted, does, moment.wants}, moment.who, moment.alone(), what);
}

using Shape = std::vector<std::array<std::uint32_t, 4>>;

/// Goes through all sequences of moments of different operations, each holding alone what no other holds alone.
struct Naive {
  const std::vector<Moment>& moments;
  std::set<Shape> found = {};
  std::vector<std::pair<const Moment*, std::pair<std::uint32_t, Does>>> path = {};

  bool fits(const Moment& moment, std::uint32_t from) const {
    return std::none_of(path.begin(), path.end(), [&](const auto& member) {
      const auto mine = moment.alone();
      const auto others = member.first->alone();
      return member.first->who == moment.who || member.second.first == from ||
             std::any_of(mine.begin(), mine.end(),
                         [&](auto lock) { return std::find(others.begin(), others.end(), lock) != others.end(); });
    });
  }

  bool waits(const Moment& moment, const std::pair<std::uint32_t, Does>& held) const {
    return moment.wanted == held.first && model::conflict(moment.wants, held.second);
  }

  void extend() {
    if (path.size() > 1 && waits(*path.back().first, path[0].second)) {
      Shape shape;
      for (const auto& [moment, held] : path)
        shape.push_back({held.first, moment->wanted, held.second == Does::shares, moment->wants == Does::shares});
      std::sort(shape.begin(), shape.end());
      found.insert(shape);
    }
    for (const Moment& moment : moments)
      for (const auto& held : moment.held) {
        if ((!path.empty() && !waits(*path.back().first, held)) || !fits(moment, held.first)) continue;
        path.emplace_back(&moment, held);
        extend();
        path.pop_back();
      }
  }
};

TEST(LockRings, AreThoseThatANaiveSearchFinds) {
  std::size_t all = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Random random(combine(61, i));
    const std::uint32_t operations = 2 + random.below(4);
    std::vector<Moment> moments;
    LockRings rings;
    for (std::uint32_t execution = 0; execution < 3; ++execution) {
      for (std::uint32_t j = 0; j < 3; ++j) {
        moments.push_back(any_moment(random, operations, 4));
        learn(rings, moments.back());
      }
      rings.search();
      Naive naive{moments};
      naive.extend();
      ASSERT_EQ(rings.size(), naive.found.size()) << i << " " << execution;
    }
    all += rings.size();
  }
  EXPECT_GT(all, 2'000u);
}

TEST(LockRings, DoNotMultiplyWithTheOperationsThatDoTheSame) {
  for (const std::uint32_t operations : {3u, 10u, 100u, 1000u}) {
    LockRings rings;
    for (std::uint32_t who = 0; who < operations; ++who) {
      const std::uint32_t first = 1 + who % 2;
      learn(rings, {who, {{first, Does::takes}}, 3 - first, Does::takes});
    }
    rings.search();
    EXPECT_EQ(rings.size(), 1u);
  }
}

TEST(LockRings, OfTheShortestAreTriedFirst) {
  LockRings rings;
  // 1 -> 2 -> … -> 20 -> 1, and last 7 -> 6.
  for (std::uint32_t who = 0; who < 20; ++who)
    learn(rings, {who, {{1 + who, Does::takes}}, 1 + (who + 1) % 20, Does::takes});
  rings.search();
  learn(rings, {20, {{7, Does::takes}}, 6, Does::takes});
  rings.search();
  ASSERT_EQ(rings.size(), 2u);
  rings.aim_at(rings.next());
  EXPECT_EQ(rings.held_by_who_wants(6), 7u);
  EXPECT_EQ(rings.held_by_who_wants(8), LockRings::kNothing);
}

TEST(LockRings, OfAnyFileNeedTwoOperations) {
  LockRings rings;
  const LockRings::Edge any_two{.held = LockRings::kAnyFile, .wanted = LockRings::kAnyFile};
  rings.learn(any_two, 1, {}, 5);
  rings.search();
  EXPECT_EQ(rings.size(), 0u);
  rings.learn(any_two, 2, {}, 5);
  rings.search();
  EXPECT_EQ(rings.size(), 1u);
}

}  // namespace
}  // namespace heddle::strategy
