// The common part of the strategies that learn from states. At each choice it records the state and the possible
// actions, and learns from them at the end of the execution.
//
// An action is a value, or an operation by a name that holds across executions. A step that is the only one possible is
// a choice of one: a state that only leads in circles must be known as one that is met often.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "base/random.hpp"
#include "strategy/learning/state_table.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/names.hpp"
#include "strategy/support/state_hash.hpp"

namespace heddle::strategy {

class Learner : public Strategy, protected StepWatcher {
 public:
  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) final;
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) final;
  void end(const ExecutionSummary& summary) final;
  StepWatcher* watcher() final { return this; }
  MachinesShow machines_show() const override { return MachinesShow::everything; }

 protected:
  struct Decision {
    std::uint32_t state;  // number in known_
    std::uint32_t first;  // index of its first action
    std::uint32_t count;
    std::uint32_t chosen;  // index among its actions
    bool is_failure;       // the chosen action makes something fail
  };

  /// `worth_first`: the worth of an action never met before.
  Learner(StateHash::Look look, bool learns_values, float worth_first)
      : known_(worth_first), state_(look), learns_values_(learns_values) {}

  /// Picks one of these actions of a state. The current visit is already counted.
  virtual std::uint32_t pick(std::span<const std::uint32_t> actions) = 0;
  /// Picks one of the operations that can go on in a state never met before. `actions` are theirs.
  virtual std::uint32_t pick_unknown(const ScheduleView&, std::span<const std::uint32_t> actions) {
    return pick(actions);
  }
  /// The execution is over; these were its choices.
  virtual void learn(std::span<const Decision> decisions) = 0;
  /// States not met for long were forgotten, and states and actions have new numbers.
  virtual void forgot() {}

  float& worth(std::uint32_t action) { return known_.worth(action); }
  float& visits(std::uint32_t state) { return known_.visits(state); }
  std::span<const std::uint32_t> actions(const Decision& decision) const {
    return actions_.span().subspan(decision.first, decision.count);
  }
  std::uint32_t chosen(const Decision& decision) const { return actions_[decision.first + decision.chosen]; }
  Random& random() { return *random_; }

  void on_step(const ScheduleView& view, OperationId who) override {
    if (view.enabled.size() == 1) (void)choose_operation(view);
    state_.step(view, who);
  }

  StateTable known_;

 private:
  static constexpr std::uint32_t kValuesMax = 256;  // nothing is learned about a wider choice

  std::span<const std::uint32_t> actions_from(std::uint32_t first) const {
    return actions_.span().subspan(first, actions_.size() - first);
  }
  void decided(std::uint32_t state, std::uint32_t first, std::uint32_t picked) {
    decisions_.append(Decision{state, first, static_cast<std::uint32_t>(actions_.size()) - first, picked, false});
  }

  Random* random_ = nullptr;
  StateHash state_;
  OperationNames names_;
  bool learns_values_;
  CommonVector<std::uint32_t> actions_;  // of all decisions: their positions in known_
  CommonVector<Decision> decisions_;
};

}  // namespace heddle::strategy
