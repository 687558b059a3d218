// POS: partial order sampling. Yuan, Yang and Gu, CAV 2018.
//
// Every event that an operation stands before has a priority, uniform and independent; the highest enabled one goes.
// When an event has gone, those that race with it, that is, stand enabled and are dependent on it, draw again: else one
// that has waited long would be known to be low. The paper shows that every partial order of a program is then met with
// a probability that has a lower bound exponentially better than a random walk's.
//
// Differs from the paper in nothing but values (which waiter wakes, what choose(n) returns), which are uniform.
#include "base/page_vector.hpp"
#include "strategy/builtin.hpp"
#include "strategy/randomised.hpp"

namespace heddle::strategy {
namespace {

class PartialOrderSampling final : public Randomised, private StepWatcher {
 public:
  bool begin(Random& random) override {
    priorities_.clear();
    return Randomised::begin(random);
  }

  OperationId choose_operation(const ScheduleView& view) override {
    OperationId highest = view.enabled.front();
    std::uint64_t priority = priority_of(highest);
    for (OperationId id : view.enabled.subspan(1)) {
      const std::uint64_t other = priority_of(id);
      if (other <= priority) continue;
      highest = id;
      priority = other;
    }
    return highest;
  }

  StepWatcher* watcher() override { return this; }

 private:
  void on_step(const ScheduleView& view, OperationId who) override {
    const model::Event event = view.next(who);
    forget(who);
    for (OperationId id : view.enabled)
      if (id != who && model::dependent(event, view.next(id))) forget(id);
  }

  void forget(OperationId id) {
    if (index(id) < priorities_.size()) priorities_[index(id)] = 0;
  }

  std::uint64_t priority_of(OperationId id) {
    if (index(id) >= priorities_.size()) [[unlikely]]
      priorities_.resize(index(id) + 1);
    std::uint64_t& priority = priorities_[index(id)];
    if (priority == 0) priority = random_->next() | 1;
    return priority;
  }

  CommonVector<std::uint64_t> priorities_;  // of the event that each operation stands before; 0: to be drawn
};

}  // namespace

std::unique_ptr<Strategy> make_partial_order_sampling() { return std::make_unique<PartialOrderSampling>(); }

}  // namespace heddle::strategy
