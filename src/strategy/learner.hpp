// What the strategies that learn from states share: at each choice, the state and what can be done in it, kept until
// the end of the execution, when it is learned from.
//
// An action is an operation, by the name that holds across executions, or a value. A step that is the only one possible
// is a choice of one: a state that leads nowhere but round and round must be known as one that is met often.
#pragma once

#include <cstdint>
#include <span>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "base/random.hpp"
#include "strategy/names.hpp"
#include "strategy/recollection.hpp"
#include "strategy/state_hash.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class Learner : public Strategy, protected StepWatcher {
 public:
  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) final;
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) final;
  void end(const ExecutionSummary& summary) final;
  StepWatcher* watcher() final { return this; }

 protected:
  struct Decision {
    std::uint64_t state;
    std::uint32_t first;  // of its actions
    std::uint32_t count;
    std::uint32_t chosen;  // among them
    std::uint32_t note;    // whatever `pick` left in note_
    bool is_failure;       // the action chosen makes something fail
  };

  /// `of_action`: what is known of an action in a state that were never met.
  Learner(StateHash::Look look, bool learns_values, float of_action)
      : state_(look), learns_values_(learns_values), actions_known_(of_action) {}

  /// Which of these actions of the state?
  virtual std::uint32_t pick(std::uint64_t state, std::span<const std::uint32_t> actions) = 0;
  /// The execution is over, and these were its choices.
  virtual void learn(std::span<const Decision> decisions) = 0;

  /// What is known of an action in its state.
  float& worth(std::uint32_t action) { return actions_known_[action]; }
  std::span<const std::uint32_t> actions(const Decision& decision) const {
    return actions_.span().subspan(decision.first, decision.count);
  }
  std::uint32_t chosen(const Decision& decision) const { return actions_[decision.first + decision.chosen]; }
  void forget_actions() { actions_known_.clear(); }
  Random& random() { return *random_; }

  std::uint32_t note_ = 0;

 private:
  static constexpr std::uint32_t kValuesMax = 256;  // of a wider choice nothing is learned

  void on_step(const ScheduleView& view, OperationId who) override {
    if (view.enabled.size() == 1) (void)choose_operation(view);
    state_.step(view, who);
  }
  std::uint32_t decide(std::uint64_t state, std::uint32_t first);

  Random* random_ = nullptr;
  StateHash state_;
  OperationNames names_;
  bool learns_values_;
  Recollection actions_known_;           // by state and action
  CommonVector<std::uint32_t> actions_;  // of all decisions: where they stand in actions_known_
  CommonVector<Decision> decisions_;
  CommonVector<std::uint64_t> keys_;  // scratch of choose_operation
};

}  // namespace heddle::strategy
