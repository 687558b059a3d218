// The first choice of an execution may be that of an operation or that of a value: the gate is before it, and watchers
// are told of every step after it.
#include <gtest/gtest.h>

#include <vector>

#include "engine/scheduler.hpp"

namespace heddle::engine {
namespace {

using model::Event;
using model::EventKind;

constexpr OperationId kOne{1};
constexpr Event kStep{EventKind::step, kNoResource, nullptr};

/// Takes the first of everything, or the last; notes of which steps it was told.
class Fixed final : public strategy::Strategy, private strategy::StepWatcher {
 public:
  explicit Fixed(bool last) : last_(last) {}

  std::vector<std::uint64_t> steps;  // how many had been taken when it was told of each
  std::vector<std::uint32_t> values;

  bool begin(Random&) override { return true; }
  OperationId choose_operation(const strategy::ScheduleView& view) override {
    return last_ ? view.enabled.back() : view.enabled.front();
  }
  std::uint32_t choose_value(const strategy::ScheduleView&, std::uint32_t bound) override {
    return last_ ? bound - 1 : 0;
  }
  strategy::StepWatcher* watcher() override { return this; }

 private:
  void on_step(const strategy::ScheduleView& view, OperationId) override { steps.push_back(view.step); }
  void on_value(const strategy::ScheduleView&, std::uint32_t value) override { values.push_back(value); }

  bool last_;
};

class BeforeFirstChoice final : public Gate {
 public:
  explicit BeforeFirstChoice(strategy::Strategy& then) : then_(then) {}

  int passed = 0;

  bool is_at(std::uint64_t, bool is_choice) const override { return is_choice; }
  Chooser pass() override {
    ++passed;
    return then_;
  }

 private:
  strategy::Strategy& then_;
};

class FirstChoice : public testing::Test {
 protected:
  void add_operation() { scheduler.add_operation(kNoOperation, {EventKind::start, kNoResource, nullptr}); }
  void step(OperationId expected) {
    ASSERT_EQ(scheduler.pick(), expected);
    scheduler.stand(expected, kStep);
  }

  Fixed first{false};
  Fixed second{true};
  Scheduler scheduler;
};

TEST_F(FirstChoice, OfAValueIsMadeByTheStrategyBehindTheGate) {
  BeforeFirstChoice gate(second);
  scheduler.begin({}, first, nullptr, &gate);
  add_operation();
  step(kMainOperation);
  EXPECT_EQ(scheduler.choose_value(1), 0u);  // of one: no choice
  EXPECT_EQ(gate.passed, 0);
  EXPECT_EQ(scheduler.choose_value(3), 2u);
  EXPECT_EQ(gate.passed, 1);
  add_operation();
  step(kOne);
  EXPECT_EQ(scheduler.choose_value(3), 2u);
  EXPECT_EQ(gate.passed, 1);
  EXPECT_TRUE(first.values.empty());
  EXPECT_EQ(second.values, (std::vector<std::uint32_t>{2, 2}));
}

TEST_F(FirstChoice, OfAnOperationIsMadeByTheStrategyBehindTheGate) {
  BeforeFirstChoice gate(second);
  scheduler.begin({}, first, nullptr, &gate);
  add_operation();
  step(kMainOperation);
  add_operation();
  step(kOne);
  EXPECT_EQ(scheduler.choose_value(3), 2u);
  EXPECT_EQ(gate.passed, 1);
}

TEST_F(FirstChoice, OfAValueIsFollowedByStepsThatWatchersSee) {
  scheduler.begin({}, first, nullptr);
  add_operation();
  step(kMainOperation);
  step(kMainOperation);
  EXPECT_TRUE(first.steps.empty());
  (void)scheduler.choose_value(2);
  step(kMainOperation);
  step(kMainOperation);
  EXPECT_EQ(first.steps, (std::vector<std::uint64_t>{2, 3}));
}

TEST_F(FirstChoice, OfAnOperationIsItselfSeen) {
  scheduler.begin({}, first, nullptr);
  add_operation();
  step(kMainOperation);
  add_operation();
  step(kMainOperation);
  EXPECT_EQ(first.steps, (std::vector<std::uint64_t>{1}));
}

}  // namespace
}  // namespace heddle::engine
