#include "engine/enabled_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "base/random.hpp"

namespace heddle::engine {
namespace {

std::vector<OperationId> ids_of(const EnabledSet& set) {
  const strategy::EnabledView view = set.view();
  return {view.begin(), view.end()};
}

/// Each operation by its position, before an array is made.
std::vector<OperationId> one_by_one(const EnabledSet& set) {
  std::vector<OperationId> ids;
  for (std::size_t i = 0; i < set.size(); ++i) ids.push_back(set[i]);
  return ids;
}

// The case of a few has no branches and reads beyond the last id; around its bounds both cases take turns.
TEST(EnabledSet, HoldsWhatASetHoldsWhateverComesAndGoes) {
  Random random(1);
  for (const std::uint32_t operations : {1u, 2u, 7u, 8u, 9u, 10u, 40u, 3000u}) {
    EnabledSet enabled;
    enabled.clear();
    std::set<OperationId> expected;
    for (int i = 0; i < 20'000; ++i) {
      const OperationId id{random.below(operations)};
      if (expected.erase(id) == 1) {
        enabled.erase(id);
      } else {
        expected.insert(id);
        enabled.insert(id);
      }
      ASSERT_EQ(ids_of(enabled), std::vector<OperationId>(expected.begin(), expected.end())) << operations;
    }
  }
}

// The nth is found by the counts of the words before it when it is the first to be asked for, and in the array later.
TEST(EnabledSet, FindsEachByItsPosition) {
  Random random(2);
  for (const std::uint32_t operations : {3u, 12u, 64u, 65u, 1000u}) {
    EnabledSet enabled;
    enabled.clear();
    std::set<OperationId> all;
    for (int round = 0; round < 2000; ++round) {
      const OperationId id{random.below(operations)};
      if (all.erase(id) == 1) {
        enabled.erase(id);
      } else {
        all.insert(id);
        enabled.insert(id);
      }
      if (all.empty()) continue;
      const std::uint32_t at = random.below(static_cast<std::uint32_t>(all.size()));
      ASSERT_EQ(enabled.view()[at], *std::next(all.begin(), at)) << operations;
      ASSERT_EQ(enabled.view().back(), *all.rbegin()) << operations;
      ASSERT_EQ(enabled.view().contains(id), all.contains(id)) << operations;
      if (round % 100 == 0) {
        ASSERT_EQ(one_by_one(enabled), std::vector<OperationId>(all.begin(), all.end())) << operations;
      }
    }
  }
}

// Disjoint groups come and go as a whole, and single operations of none of them in between.
TEST(EnabledSet, LetsGroupsComeAndGo) {
  Random random(3);
  for (const std::uint32_t operations : {6u, 20u, 130u, 1000u}) {
    constexpr std::uint32_t kGroups = 4;
    model::OperationSet groups[kGroups];
    for (std::uint32_t id = 0; id < operations; ++id)
      if (const std::uint32_t group = random.below(kGroups + 1); group < kGroups) groups[group].insert(OperationId{id});
    bool is_in[kGroups] = {};
    EnabledSet enabled;
    enabled.clear();
    std::set<OperationId> expected;
    for (int round = 0; round < 5000; ++round) {
      if (random.below(3) == 0) {
        const OperationId id{random.below(operations)};
        if (std::ranges::any_of(groups, [&](const auto& group) { return group.contains(id); })) continue;
        if (expected.erase(id) == 1) {
          enabled.erase(id);
        } else {
          expected.insert(id);
          enabled.insert(id);
        }
      } else {
        const std::uint32_t which = random.below(kGroups);
        is_in[which] = !is_in[which];
        for (const OperationId id : groups[which].span()) {
          if (is_in[which])
            expected.insert(id);
          else
            expected.erase(id);
        }
        if (is_in[which])
          enabled.insert_all(groups[which]);
        else
          enabled.erase_all(groups[which]);
      }
      ASSERT_EQ(enabled.size(), expected.size());
      ASSERT_EQ(ids_of(enabled), std::vector<OperationId>(expected.begin(), expected.end())) << operations;
    }
  }
}

}  // namespace
}  // namespace heddle::engine
