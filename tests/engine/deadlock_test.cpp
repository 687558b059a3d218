// Cycles of waits as data: which are found, and what only looks like one.
#include "engine/detectors/deadlock.hpp"

#include <gtest/gtest.h>

#include <string>

#include "strategy/table.hpp"

namespace heddle::engine {
namespace {

using model::EventKind;
using model::ResourceKind;

constexpr OperationId kA{0}, kB{1}, kC{2};

class Cycles : public testing::Test {
 protected:
  Cycles() {
    scheduler_.begin({}, *parsed_.strategy, nullptr);
    for (int i = 0; i < 3; ++i) scheduler_.add_operation(kNoOperation, {EventKind::start, kNoResource, nullptr});
  }

  ResourceId held(ResourceKind kind, OperationId by) {
    const ResourceId id = scheduler_.add_resource(kind, nullptr);
    if (kind == ResourceKind::mutex) scheduler_.resource(id).mutex.lock(by);
    return id;
  }
  ResourceId end_of(OperationId id) {
    const ResourceId end = scheduler_.add_resource(ResourceKind::operation, nullptr);
    scheduler_.resource(end).lifetime = model::Lifetime(id, false);
    return end;
  }
  /// Does it have to wait without end?
  bool waits(OperationId who, EventKind kind, ResourceId what, std::uint64_t deadline = kNever) {
    return !scheduler_.stand_before(who, {kind, what, nullptr}, deadline);
  }
  std::string text(OperationId member) const { return explain_cycle(scheduler_, member).text; }

  strategy::Parsed parsed_ = strategy::parse("random");
  Scheduler scheduler_;
};

TEST_F(Cycles, OfLocksAreFoundByWhoeverLeadsIntoThem) {
  const ResourceId one = held(ResourceKind::mutex, kB);
  const ResourceId two = held(ResourceKind::mutex, kC);
  EXPECT_TRUE(waits(kB, EventKind::lock, two));
  EXPECT_EQ(blocker(scheduler_, kB), kC);
  EXPECT_EQ(find_cycle(scheduler_, kB), kNoOperation);  // the other one can still go on
  EXPECT_TRUE(waits(kC, EventKind::lock, one));
  EXPECT_EQ(find_cycle(scheduler_, kC), kB);
  EXPECT_TRUE(waits(kA, EventKind::lock, one));
  EXPECT_EQ(find_cycle(scheduler_, kA), kB);
  EXPECT_EQ(text(kB), "T1 waits for m2 (held by T2), T2 waits for m1 (held by T1)");
}

TEST_F(Cycles, WithAnEndOfAnOperation) {
  const ResourceId lock = held(ResourceKind::mutex, kA);
  EXPECT_TRUE(waits(kB, EventKind::lock, lock));
  EXPECT_TRUE(waits(kA, EventKind::join, end_of(kB)));
  EXPECT_EQ(find_cycle(scheduler_, kA), kA);
  EXPECT_EQ(text(kA), "T0 waits for the end of T1, T1 waits for m1 (held by T0)");
}

TEST_F(Cycles, AreNoneWithADeadline) {
  const ResourceId one = held(ResourceKind::mutex, kA);
  const ResourceId two = held(ResourceKind::mutex, kB);
  EXPECT_FALSE(waits(kA, EventKind::timed_lock, two, 1000));
  EXPECT_TRUE(waits(kB, EventKind::lock, one));
  EXPECT_EQ(blocker(scheduler_, kA), kNoOperation);
  EXPECT_EQ(find_cycle(scheduler_, kB), kNoOperation);
}

TEST_F(Cycles, AreNoneThroughSeveralReaders) {
  const ResourceId lock = scheduler_.add_resource(ResourceKind::read_write_lock, nullptr);
  model::ReadWriteLock& state = scheduler_.resource(lock).read_write_lock;
  state.read_lock(kA);
  state.read_lock(kB);
  EXPECT_TRUE(waits(kA, EventKind::write_lock, lock));
  EXPECT_EQ(find_cycle(scheduler_, kA), kNoOperation);
  state.unlock(kB);
  EXPECT_EQ(find_cycle(scheduler_, kA), kA);  // it waits for itself
  EXPECT_EQ(text(kA), "T0 waits for rw1 (which it holds itself)");
}

TEST_F(Cycles, EndAtSomebodyOutsideAndAtTheDead) {
  const ResourceId outside = scheduler_.add_resource(ResourceKind::mutex, nullptr);
  scheduler_.resource(outside).mutex = model::Mutex(model::MutexType::normal, false, model::kOutsideOwner);
  EXPECT_TRUE(waits(kA, EventKind::lock, outside));
  EXPECT_EQ(find_cycle(scheduler_, kA), kNoOperation);
  const ResourceId orphan = held(ResourceKind::mutex, kC);
  scheduler_.end_operation(kC);
  EXPECT_TRUE(waits(kB, EventKind::lock, orphan));
  EXPECT_EQ(find_cycle(scheduler_, kB), kNoOperation);
}

TEST_F(Cycles, ALostWakeupIsOneWhoseLastSignalWasInVain) {
  const ResourceId condition = scheduler_.add_resource(ResourceKind::condition, nullptr);
  model::Condition& state = scheduler_.resource(condition).condition;
  scheduler_.end_operation(kB);
  scheduler_.end_operation(kC);
  state.signalled(kB, 7);
  state.waiters().push(scheduler_.links(), kA);
  scheduler_.stand_blocked(kA, {EventKind::wake, condition, nullptr});
  EXPECT_EQ(explain_stuck(scheduler_).kind, VerdictKind::lost_wakeup);
  EXPECT_STREQ(explain_stuck(scheduler_).text, "T0 waits for c1, which T1 signalled at step 7, before T0 waited");
  state.signalled(kC, 9);  // it found somebody
  EXPECT_EQ(explain_stuck(scheduler_).kind, VerdictKind::deadlock);
  EXPECT_STREQ(explain_stuck(scheduler_).text, "T0 waits for c1");
}

}  // namespace
}  // namespace heddle::engine
