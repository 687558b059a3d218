// The tree of shared schedules against copies of whole schedules.
#include "strategy/systematic/schedule_tree.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"

namespace heddle::test {
namespace {

using strategy::ScheduleTree;

struct Copy {
  ScheduleTree::Node node;
  std::vector<std::uint32_t> values;
};

TEST(ScheduleTree, HoldsWhatCopiesHold) {
  Random random(1);
  ScheduleTree tree;
  std::vector<Copy> held;
  CommonVector<ScheduleTree::Step> read;
  for (int round = 0; round < 20'000; ++round) {
    if (held.empty() || random.below(100) < 52) {
      Copy made{ScheduleTree::kNone, {}};
      ScheduleTree::Node parent = ScheduleTree::kNone;
      std::uint32_t shared = 0;
      if (!held.empty() && random.below(10) != 0) {
        const Copy& from = held[random.below(static_cast<std::uint32_t>(held.size()))];
        parent = from.node;
        shared = random.below(static_cast<std::uint32_t>(from.values.size()) + 1);
        made.values.assign(from.values.begin(), from.values.begin() + shared);
      }
      std::vector<ScheduleTree::Step> own(random.below(40));
      for (auto& step : own) {
        step = {Choice::of_value(random.below(1000)), random.below(1000)};
        made.values.push_back(step.choice.value() * 1000 + step.shape);
      }
      made.node = tree.add(parent, shared, own);
      held.push_back(made);
    } else {
      const std::uint32_t which = random.below(static_cast<std::uint32_t>(held.size()));
      tree.release(held[which].node);
      held[which] = held.back();
      held.pop_back();
    }
    if (held.empty()) continue;
    const Copy& some = held[random.below(static_cast<std::uint32_t>(held.size()))];
    const std::uint32_t length = random.below(static_cast<std::uint32_t>(some.values.size()) + 1);
    tree.read(some.node, length, read);
    ASSERT_EQ(read.size(), length);
    for (std::uint32_t i = 0; i < length; ++i)
      ASSERT_EQ(read[i].choice.value() * 1000 + read[i].shape, some.values[i]) << i;
  }
  EXPECT_GT(tree.bytes(), 0u);
  for (const Copy& copy : held) tree.release(copy.node);
  EXPECT_EQ(tree.bytes(), 0u);
}

TEST(ScheduleTree, ANodeLivesWhileAChildDoes) {
  ScheduleTree tree;
  const ScheduleTree::Step steps[] = {{Choice::of_value(1), 0}, {Choice::of_value(2), 0}};
  const auto parent = tree.add(ScheduleTree::kNone, 0, steps);
  const auto child = tree.add(parent, 1, steps);
  tree.release(parent);
  CommonVector<ScheduleTree::Step> read;
  tree.read(child, 3, read);
  EXPECT_EQ(read[0].choice.value(), 1u);
  EXPECT_EQ(read[1].choice.value(), 1u);
  EXPECT_EQ(read[2].choice.value(), 2u);
  tree.hold(child);
  tree.release(child);
  EXPECT_GT(tree.bytes(), 0u);
  tree.release(child);
  EXPECT_EQ(tree.bytes(), 0u);
}

}  // namespace
}  // namespace heddle::test
