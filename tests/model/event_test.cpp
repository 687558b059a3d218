#include "model/dependence.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <set>

namespace heddle::test {
namespace {

using model::dependent;
using model::Event;
using model::EventKind;
using model::ResourceKind;

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

/// A condition, the mutex that operations wait there with, another mutex, a semaphore, a futex and its word, an end.
struct World {
  World() {
    resources[0].condition.expect(ResourceId{1});
    new (&resources[6].lifetime) model::Lifetime(OperationId{1}, false);
  }
  std::uint32_t word = 0;
  char objects[4] = {};
  model::Resource resources[7] = {{ResourceKind::condition, &objects[0]}, {ResourceKind::mutex, &objects[1]},
                                  {ResourceKind::mutex, &objects[2]},     {ResourceKind::semaphore, &objects[3]},
                                  {ResourceKind::futex, &word},           {ResourceKind::variable, &word},
                                  {ResourceKind::operation, nullptr}};
  bool depend(const Event& a, const Event& b) const {
    EXPECT_EQ(dependent(a, b, resources), dependent(b, a, resources));
    EXPECT_EQ(dependent(a, b, resources), meet(predict(a, resources), predict(b, resources)));
    return dependent(a, b, resources);
  }
};
constexpr ResourceId kCondition{0}, kMutex{1}, kOtherMutex{2}, kSemaphore{3}, kFutex{4}, kWord{5}, kEnd{6};

TEST(Event, AWaitIsPredictedToTouchTheMutexOfItsCondition) {
  World world;
  EXPECT_TRUE(world.depend({EventKind::wait, kCondition}, {EventKind::lock, kMutex}));
  EXPECT_FALSE(world.depend({EventKind::wait, kCondition}, {EventKind::lock, kOtherMutex}));
  EXPECT_TRUE(world.depend({EventKind::signal, kCondition}, {EventKind::unlock, kMutex}));
  EXPECT_FALSE(world.depend({EventKind::signal, kCondition}, {EventKind::unlock, kOtherMutex}));
  world.resources[0].condition.expect(kOtherMutex);  // two: it may be any
  EXPECT_TRUE(world.depend({EventKind::wait, kCondition}, {EventKind::lock, kMutex}));
}

TEST(Event, WhatExpiresIsPredictedToMoveTheClock) {
  World world;
  const Event sleep{EventKind::sleep}, join{EventKind::join, kEnd}, timed{EventKind::timed_acquire, kSemaphore};
  EXPECT_TRUE(world.depend(sleep, {EventKind::read_clock}));
  EXPECT_TRUE(world.depend(join, sleep));
  EXPECT_TRUE(world.depend(timed, sleep));
  world.resources[6].lifetime.end();
  world.resources[3].semaphore = model::Semaphore(1);
  EXPECT_FALSE(world.depend(join, sleep));  // it has no reason to wait
  EXPECT_FALSE(world.depend(timed, sleep));
}

TEST(Event, AFutexWaitIsPredictedToLookAtItsWord) {
  World world;
  EXPECT_TRUE(world.depend({EventKind::futex_wait, kFutex}, {EventKind::store, kWord, nullptr, 4}));
  EXPECT_FALSE(world.depend({EventKind::futex_wait, kFutex}, {EventKind::load, kWord, nullptr, 4}));
}

TEST(Event, AnEndThatLeavesLocksMayTouchAnything) {
  World world;
  EXPECT_FALSE(world.depend({EventKind::end, kEnd}, {EventKind::lock, kMutex}));
  world.resources[6].lifetime.leave_locks();
  EXPECT_TRUE(world.depend({EventKind::end, kEnd}, {EventKind::lock, kMutex}));
}

TEST(Event, EnablesAndDisablesOnlyWhatCanWait) {
  World world;
  const Event lock{EventKind::lock, kMutex}, unlock{EventKind::unlock, kMutex}, tries{EventKind::try_lock, kMutex};
  EXPECT_TRUE(can_enable(unlock, lock, world.resources));
  EXPECT_TRUE(can_enable({EventKind::wait, kCondition}, lock, world.resources));
  EXPECT_FALSE(can_enable(unlock, tries, world.resources));
  EXPECT_TRUE(can_disable(lock, lock, world.resources));
  EXPECT_FALSE(can_disable(unlock, lock, world.resources));
  EXPECT_FALSE(can_disable(lock, tries, world.resources));
}

TEST(Event, APauseIsAYieldOrASleep) {
  EXPECT_TRUE(model::is_pause(EventKind::yield));
  EXPECT_TRUE(model::is_pause(EventKind::sleep));
  EXPECT_FALSE(model::is_pause(EventKind::lock));
}

}  // namespace
}  // namespace heddle::test
