// POS: partial order sampling. Yuan, Yang and Gu, CAV 2018.
//
// Every operation's next event has a priority, uniform and independent, and the highest enabled one goes. When an event
// has gone, the events that race with it (enabled and dependent on it) draw again. Otherwise an event that has waited
// long would be known to have a low priority. The paper shows that every partial order of a program is then met with a
// probability whose lower bound is exponentially better than a random walk's.
//
// Differs from the paper only in values (which waiter wakes, what choose(n) returns), which are uniform.
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
