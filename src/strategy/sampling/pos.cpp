// POS: partial order sampling. Yuan, Yang and Gu, CAV 2018.
//
// Every event that an operation stands before has a priority, uniform and independent; the highest enabled one goes.
// When an event has gone, those that race with it, that is, stand enabled and are dependent on it, draw again: else one
// that has waited long would be known to be low. The paper shows that every partial order of a program is then met with
// a probability that has a lower bound exponentially better than a random walk's.
//
// Differs from the paper in nothing but values (which waiter wakes, what choose(n) returns), which are uniform.
#include "strategy/builtin.hpp"
#include "strategy/support/event_priorities.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {
namespace {

class PartialOrderSampling final : public Randomised, private StepWatcher {
 public:
  bool begin(Random& random) override {
    priorities_.begin();
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    return priorities_.choose(view, [this](OperationId) { return random_->next(); });
  }

  StepWatcher* watcher() override { return this; }

 private:
  void on_step(const ScheduleView& view, OperationId who) override { priorities_.step(view, who); }

  EventPriorities priorities_;
};

}  // namespace

std::unique_ptr<Strategy> make_partial_order_sampling() { return std::make_unique<PartialOrderSampling>(); }

}  // namespace heddle::strategy
