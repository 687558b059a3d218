#include "model/dependence.hpp"

#include <gtest/gtest.h>

#include <set>

namespace heddle::test {
namespace {

using model::dependent;
using model::Event;
using model::EventKind;

constexpr ResourceId kX{0}, kY{1};

TEST(Event, NamesAreDistinctAndRoundTrip) {
  std::set<std::string_view> names;
  for (int i = 0; i < static_cast<int>(EventKind::kCount); ++i) {
    const auto kind = static_cast<EventKind>(i);
    EXPECT_FALSE(model::name(kind).empty());
    EXPECT_TRUE(names.insert(model::name(kind)).second) << model::name(kind);
    EXPECT_EQ(model::kind_named(model::name(kind)), kind);
  }
  EXPECT_EQ(model::kind_named("dance"), EventKind::kCount);
  EXPECT_EQ(model::name(EventKind::start), "start");  // the ends of the table, so that it cannot be shifted
  EXPECT_EQ(model::name(EventKind::write_unlock), "write_unlock");
  EXPECT_EQ(model::name(EventKind::notify), "notify");
  EXPECT_EQ(model::name(EventKind::poll), "poll");
}

TEST(Event, DependsOnWhatTouchesTheSameResource) {
  const Event read_x{EventKind::read, kX}, write_x{EventKind::write, kX}, write_y{EventKind::write, kY};
  EXPECT_FALSE(dependent(read_x, read_x));
  EXPECT_TRUE(dependent(read_x, write_x));
  EXPECT_TRUE(dependent(write_x, write_x));
  EXPECT_FALSE(dependent(write_x, write_y));
  EXPECT_TRUE(dependent({EventKind::lock, kX}, {EventKind::lock, kX}));
  EXPECT_FALSE(dependent({EventKind::lock, kX}, {EventKind::lock, kY}));
}

TEST(Event, APlainStepDependsOnEverythingThatTouchesAnything) {
  const Event step{EventKind::step};
  EXPECT_TRUE(dependent(step, {EventKind::write, kX}));
  EXPECT_TRUE(dependent(step, step));
  EXPECT_FALSE(dependent(step, {EventKind::yield}));
}

TEST(Event, TwoDescriptorsMayBeTwoEndsOfOneThing) {
  EXPECT_TRUE(dependent({EventKind::descriptor_write, kX}, {EventKind::descriptor_read, kY}));
  EXPECT_TRUE(dependent({EventKind::descriptor_close, kX}, {EventKind::poll, kY}));
  EXPECT_FALSE(dependent({EventKind::descriptor_read, kX}, {EventKind::lock, kY}));
}

TEST(Event, DependenceIsSymmetric) {
  for (int i = 0; i < static_cast<int>(EventKind::kCount); ++i)
    for (int j = 0; j < static_cast<int>(EventKind::kCount); ++j)
      for (ResourceId a : {kX, kNoResource})
        for (ResourceId b : {kX, kY, kNoResource}) {
          const Event first{static_cast<EventKind>(i), a}, second{static_cast<EventKind>(j), b};
          EXPECT_EQ(dependent(first, second), dependent(second, first));
        }
}

TEST(Event, APauseIsAYieldOrASleep) {
  EXPECT_TRUE(model::is_pause(EventKind::yield));
  EXPECT_TRUE(model::is_pause(EventKind::sleep));
  EXPECT_FALSE(model::is_pause(EventKind::lock));
}

}  // namespace
}  // namespace heddle::test
