// The number of an order class against the order itself: two executions have the same number exactly if they have the
// same steps and order all dependent ones alike.
#include "strategy/support/order_class.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "strategy/builtin.hpp"
#include "support/generate.hpp"
#include "support/interpreter.hpp"
#include "support/programs.hpp"

namespace heddle::test {
namespace {

/// Depth-first, looking on.
class Recording final : public strategy::Strategy, private strategy::StepWatcher {
 public:
  bool begin(Random& random) override {
    steps.clear();
    values.clear();
    order.begin();
    return inner_->begin(random);
  }
  OperationId choose_operation(const strategy::ScheduleView& view) override { return inner_->choose_operation(view); }
  std::uint32_t choose_value(const strategy::ScheduleView& view, std::uint32_t bound) override {
    return inner_->choose_value(view, bound);
  }
  void end(const strategy::ExecutionSummary& summary) override { inner_->end(summary); }
  strategy::StepWatcher* watcher() override { return this; }

  struct Step {
    OperationId who;
    model::Event event;
    model::Footprint footprint = {};
  };
  std::vector<Step> steps;
  std::vector<std::uint32_t> values;
  strategy::OrderClass order;

 private:
  void on_step(const strategy::ScheduleView& view, OperationId who) override {
    steps.push_back({who, view.next(who)});
    order.on_step(view, who);
  }
  bool wants_footprints() const override { return true; }
  void on_stepped(OperationId who, const model::Footprint& footprint) override {
    if (!steps.empty()) steps.back().footprint = footprint;
    order.on_stepped(who, footprint);
  }
  void on_value(const strategy::ScheduleView& view, std::uint32_t value) override {
    values.push_back(index(view.current) << 16 | value);
    order.on_value(view, value);
  }

  std::unique_ptr<strategy::Strategy> inner_ = strategy::make_depth_first();
};

/// Steps by operation and position in it, and which of two dependent ones came first.
using Order = std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>>;

Order order_of(const Recording& run) {
  Order order;
  std::map<OperationId, std::uint32_t> positions;
  std::vector<std::uint32_t> at;
  for (const auto& step : run.steps) at.push_back(positions[step.who]++);
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const auto& one = run.steps[i];
    order.insert({index(one.who), at[i], static_cast<std::uint32_t>(one.event.kind), index(one.event.resource), ~0u});
    for (std::size_t j = i + 1; j < run.steps.size(); ++j) {
      const auto& other = run.steps[j];
      if (one.who == other.who || !meet(one.footprint, other.footprint)) continue;
      order.insert({index(one.who), at[i], index(other.who), at[j], ~1u});
    }
  }
  return order;
}

TEST(OrderClass, IsTheOrderOfDependentSteps) {
  int programs_with_several = 0;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    Random random(combine(31, i));
    Program program = generate(random, {3, 4, 2});
    for (auto& body : program.operations)  // values would have to be in the naive order too
      for (Action& action : body)
        if (action.what == Do::choose) action = step();
    SCOPED_TRACE(to_string(program));
    Recording strategy;
    std::map<Order, std::uint64_t> classes;
    std::set<std::uint64_t> numbers;
    explore(program, strategy, i, 2'000, [&](const Result&) {
      if (!strategy.values.empty()) return true;  // which waiter wakes
      const auto [known, is_new] = classes.emplace(order_of(strategy), strategy.order.value());
      EXPECT_EQ(known->second, strategy.order.value());
      numbers.insert(strategy.order.value());
      return !testing::Test::HasFailure();
    });
    EXPECT_EQ(numbers.size(), classes.size());
    programs_with_several += classes.size() > 1;
    if (HasFailure()) return;
  }
  EXPECT_GT(programs_with_several, 100);
}

std::size_t classes_of(const Program& program, std::uint64_t executions) {
  Recording strategy;
  std::set<std::uint64_t> numbers;
  const auto note = [&](const Result&) { return numbers.insert(strategy.order.value()), true; };
  EXPECT_EQ(explore(program, strategy, 1, 10'000, note), executions);
  return numbers.size();
}

TEST(OrderClass, IndependentStepsHaveOneClass) { EXPECT_EQ(classes_of(all_different(3, 2), 90), 1u); }

TEST(OrderClass, PlainStepsMayTouchAnythingSoEachOrderIsAClass) { EXPECT_EQ(classes_of(independent(3, 2), 90), 90u); }

}  // namespace
}  // namespace heddle::test
