// An operation that is interrupted comes back to where it stood, and is moved on there by others in the meantime.
#include <gtest/gtest.h>

#include "engine/scheduler.hpp"

namespace heddle::engine {
namespace {

using model::Event;
using model::EventKind;
using model::ResourceKind;

constexpr OperationId kOne{1};

/// Lets run whom the test wants.
class Wish final : public strategy::Strategy {
 public:
  OperationId next = kMainOperation;
  bool begin(Random&) override { return true; }
  OperationId choose_operation(const strategy::ScheduleView&) override { return next; }
  std::uint32_t choose_value(const strategy::ScheduleView&, std::uint32_t) override { return 0; }
};

class Interrupt : public testing::Test {
 protected:
  Interrupt() { begin({}); }

  void begin(const Settings& settings) {
    scheduler.begin(settings, wish, nullptr);
    mutex = scheduler.add_resource(ResourceKind::mutex, nullptr);
    condition = scheduler.add_resource(ResourceKind::condition, nullptr);
    for (int i = 0; i < 2; ++i) scheduler.add_operation(kNoOperation, {EventKind::start, kNoResource, nullptr});
  }
  void run(OperationId who) {
    wish.next = who;
    ASSERT_EQ(scheduler.pick(), who);
  }
  Event at(EventKind kind, ResourceId resource = kNoResource) const { return {kind, resource, nullptr}; }
  /// T0 runs again after this, and T1 has stepped up to the handler.
  void interrupt_one() {
    run(kMainOperation);
    scheduler.interrupt(kOne, at(EventKind::handle_signal));
    EXPECT_TRUE(scheduler.is_enabled(kOne));
    EXPECT_EQ(scheduler.next(kOne).kind, EventKind::handle_signal);
  }

  Wish wish;
  Scheduler scheduler;
  ResourceId mutex{};
  ResourceId condition{};
};

TEST_F(Interrupt, BeforeAStepThatIsAlwaysAdmitted) {
  run(kOne);
  scheduler.stand(kOne, at(EventKind::unlock, mutex));
  interrupt_one();
  scheduler.stand(kMainOperation, at(EventKind::step));
  run(kOne);
  EXPECT_EQ(scheduler.interrupted().kind, EventKind::unlock);
  scheduler.resume();
  EXPECT_EQ(scheduler.next(kOne).kind, EventKind::unlock);
  run(kOne);
}

TEST_F(Interrupt, BeforeALockThatIsHeld) {
  scheduler.resource(mutex).mutex.lock(kMainOperation);
  run(kOne);
  scheduler.stand_before(kOne, at(EventKind::lock, mutex));
  EXPECT_FALSE(scheduler.is_enabled(kOne));
  interrupt_one();
  scheduler.stand(kMainOperation, at(EventKind::step));
  run(kOne);
  scheduler.resume();
  EXPECT_FALSE(scheduler.is_enabled(kOne));
  run(kMainOperation);
  scheduler.resource(mutex).mutex.unlock(kMainOperation);
  scheduler.changed(mutex);
  EXPECT_TRUE(scheduler.is_enabled(kOne));
}

TEST_F(Interrupt, AWaiterThatIsWokenMeanwhile) {
  run(kOne);
  scheduler.stand_blocked(kOne, at(EventKind::wake, condition));
  interrupt_one();
  scheduler.stand_before(kOne, at(EventKind::relock, mutex));  // the signal of the condition
  EXPECT_EQ(scheduler.next(kOne).kind, EventKind::handle_signal);
  scheduler.stand(kMainOperation, at(EventKind::step));
  run(kOne);
  EXPECT_EQ(scheduler.interrupted().kind, EventKind::relock);
  scheduler.resume();
  EXPECT_EQ(scheduler.next(kOne).kind, EventKind::relock);
  EXPECT_TRUE(scheduler.is_enabled(kOne));
}

TEST_F(Interrupt, AHandlerThatIsInterruptedItself) {
  run(kOne);
  scheduler.stand_blocked(kOne, at(EventKind::wake, condition));
  interrupt_one();
  scheduler.stand(kMainOperation, at(EventKind::step));
  run(kOne);
  scheduler.stand(kOne, at(EventKind::lock, mutex));
  interrupt_one();
  scheduler.stand(kMainOperation, at(EventKind::step));
  run(kOne);
  EXPECT_EQ(scheduler.interrupted().kind, EventKind::lock);
  EXPECT_TRUE(scheduler.is_interrupted_in_a_wait());
  scheduler.resume();
  run(kOne);
  EXPECT_EQ(scheduler.interrupted().kind, EventKind::wake);
  scheduler.leave_interrupted();
  EXPECT_FALSE(scheduler.is_interrupted_in_a_wait());
  EXPECT_EQ(scheduler.next(kOne).kind, EventKind::wake);
  EXPECT_EQ(scheduler.next(kOne).resource, condition);
}

TEST_F(Interrupt, ASleepKeepsItsDeadline) {
  run(kOne);
  scheduler.stand_blocked(kOne, at(EventKind::sleep), 1000);
  interrupt_one();
  scheduler.stand(kMainOperation, at(EventKind::step));
  run(kOne);
  EXPECT_TRUE(scheduler.interrupted_has_deadline());
  scheduler.resume();
  EXPECT_EQ(scheduler.deadline(kOne), 1000u);
  run(kOne);
  EXPECT_TRUE(scheduler.expired());
  EXPECT_EQ(scheduler.now(), 1000u);
}

TEST_F(Interrupt, NobodyWaitsForAService) {
  run(kMainOperation);
  EXPECT_EQ(scheduler.live_count(), 2u);
  scheduler.make_service(kOne);
  EXPECT_EQ(scheduler.live_count(), 1u);
  scheduler.stand_blocked(kOne, at(EventKind::sleep), kNever);
  EXPECT_FALSE(scheduler.is_enabled(kOne));
  scheduler.end_operation(kMainOperation);
  EXPECT_EQ(scheduler.live_count(), 0u);
}

TEST_F(Interrupt, APatientDeadlineComesWithTheTime) {
  run(kMainOperation);
  scheduler.set_patient(kOne, true);
  scheduler.stand_blocked(kOne, at(EventKind::sleep), 1000);
  EXPECT_FALSE(scheduler.is_enabled(kOne));
  scheduler.stand_blocked(kMainOperation, at(EventKind::sleep), 2000);
  EXPECT_TRUE(scheduler.is_enabled(kMainOperation));
  ASSERT_EQ(scheduler.pick(), kMainOperation);
  EXPECT_TRUE(scheduler.is_enabled(kOne));
}

}  // namespace
}  // namespace heddle::engine
