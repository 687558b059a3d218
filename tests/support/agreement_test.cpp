// The scheduler and the naive model must agree at every step of thousands of generated programs: who is enabled, who
// may be chosen, what a choice costs, and how it ends.
#include <gtest/gtest.h>

#include "strategy/builtin.hpp"
#include "strategy/support/alternatives.hpp"
#include "support/generate.hpp"
#include "support/interpreter.hpp"
#include "support/naive.hpp"

namespace heddle::test {
namespace {

std::vector<Naive::Id> plain(std::span<const OperationId> ids) {
  std::vector<Naive::Id> all;
  for (OperationId id : ids) all.push_back(index(id));
  return all;
}

/// Sees every choice as the strategy does and every step as the interpreter does, and compares.
class Comparison final : public strategy::Strategy, public Watcher {
 public:
  Comparison(const Program& program, engine::Settings settings) : naive_(program, settings), settings_(settings) {}

  bool begin(Random& random) override { return random_->begin(random); }

  OperationId choose_operation(const strategy::ScheduleView& view) override {
    asked_ = true;
    EXPECT_EQ(plain(view.enabled), naive_.choices());
    const strategy::Alternatives alternatives(view);
    for (std::uint32_t j = 0; j < alternatives.size(); ++j) {
      const Naive::Id id = index(alternatives.at(j));
      EXPECT_EQ(naive_.delays(id), j);
      EXPECT_EQ(naive_.preemptions(id), j > 0 && alternatives.leaving_preempts() ? 1u : 0u);
    }
    return random_->choose_operation(view);
  }

  std::uint32_t choose_value(const strategy::ScheduleView& view, std::uint32_t bound) override {
    EXPECT_EQ(naive_.value_bound(index(view.current)), bound);
    return random_->choose_value(view, bound);
  }

  void before_pick(const engine::Scheduler& scheduler) override {
    asked_ = false;
    if (settings_.time == engine::TimePolicy::choice) {  // else time may have to pass first
      EXPECT_EQ(plain(scheduler.enabled()), naive_.enabled());
    }
  }

  void picked(OperationId id) override {
    const auto choices = naive_.choices();
    EXPECT_EQ(asked_, choices.size() > 1);
    EXPECT_EQ(id == kNoOperation, choices.empty());
    if (choices.size() == 1) {
      EXPECT_EQ(index(id), choices.front());
    }
  }

  void applied(OperationId id, std::uint32_t value) override { naive_.apply(index(id), value); }

  const Naive& naive() const { return naive_; }

 private:
  Naive naive_;
  engine::Settings settings_;
  std::unique_ptr<strategy::Strategy> random_ = strategy::make_random();
  bool asked_ = false;
};

void compare(std::uint64_t seed, int programs, engine::Settings settings, const Size& size = {5, 7, 2}) {
  int deadlocks = 0;
  for (int i = 0; i < programs; ++i) {
    Random random(combine(seed, static_cast<std::uint64_t>(i)));
    const Program program = generate(random, size);
    SCOPED_TRACE(to_string(program));
    Comparison comparison(program, settings);
    ASSERT_TRUE(comparison.begin(random));
    Interpreter interpreter(program, settings);
    const Result result = interpreter.run(comparison, &comparison);
    EXPECT_EQ(result.verdict.kind, comparison.naive().verdict());
    EXPECT_EQ(result.memory, comparison.naive().memory());
    deadlocks += result.verdict.kind == VerdictKind::deadlock;
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(deadlocks, programs / 5);  // so that both endings are really met
  EXPECT_LT(deadlocks, programs * 9 / 10);
}

TEST(Agreement, WhenTimeIsAChoice) { compare(1, 4000, {}); }

TEST(Agreement, WhenTimeIsPatient) { compare(2, 4000, {.time = engine::TimePolicy::patient}); }

TEST(Agreement, WhenTheFirstWaiterWakes) { compare(3, 1000, {.choose_waiter = false}); }

TEST(Agreement, WithSpuriousWakeups) { compare(4, 2000, {.spurious_wakeups = true}); }

TEST(Agreement, WithSpuriousWakeupsWhenTimeIsPatient) {
  compare(5, 2000, {.time = engine::TimePolicy::patient, .spurious_wakeups = true});
}

TEST(Agreement, WhenManyStandAtOneResource) { compare(6, 1000, {}, {20, 4, 1}); }

// So many that more than eight stand alike: crowds (engine/crowds.hpp) form, change and dissolve.
TEST(Agreement, WhenCrowdsStandAtOneResource) { compare(7, 300, {}, {40, 6, 1}); }

TEST(Agreement, WhenCrowdsStandAtOneResourceAndTimeIsPatient) {
  compare(8, 300, {.time = engine::TimePolicy::patient, .spurious_wakeups = true}, {40, 6, 1});
}

}  // namespace
}  // namespace heddle::test
