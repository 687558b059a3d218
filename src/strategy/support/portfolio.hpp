// Portfolio: several strategies share the executions, and those that show new things get more.
//
// No strategy is best on every program, and which one is best cannot be known beforehand. An execution is worth 1 to
// the member that made it if its order class (order_class.hpp) is new or if it fails, and 0 otherwise. Every other
// execution goes to the members in turn, in fixed shares, so that a member that did well early cannot starve the rest.
// The other executions go to the member with the highest upper confidence bound on the worth of its next execution
// (UCB1, Auer, Cesa-Bianchi and Fischer 2002). There, older executions count less and less, because what is new does
// not stay new. A member with a larger share gains more by not being chosen. While everything is new, all members get
// their shares, in the order of the list.
//
// The member `predict` watches every execution, and goes next as soon as it has something to confirm, but at most in
// every other execution. A member with nothing left to explore drops out. The portfolio ends when all have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strategy/predicting/predict.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/recollection.hpp"

namespace heddle::strategy {

class Portfolio final : public Strategy {
 public:
  struct Member {
    std::string spec;  // as in the table: pct:depth=2
    std::unique_ptr<Strategy> strategy;
    double share = 1;  // relative to the shares of the others
    bool finished = false;
    std::uint64_t executions = 0;
    std::uint64_t new_classes = 0;  // order classes first shown by it
    std::uint64_t failures = 0;
    double dealt = 0;   // turns given in list order, in units of its share
    double weight = 0;  // executions, older ones counting less
    double worth = 0;   // their total worth, weighted the same
  };

  explicit Portfolio(std::vector<Member> members);

  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) override { return turn_->choose_operation(view); }
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) override {
    return turn_->choose_value(view, bound);
  }
  void end(const ExecutionSummary& summary) override;

  StepWatcher* watcher() override;
  bool wants_order_class() const override { return true; }
  std::uint32_t wanted_points() const override { return turn_->wanted_points(); }
  MachinesShow machines_show() const override { return turn_->machines_show(); }
  bool is_fair() const override { return turn_->is_fair(); }
  bool is_systematic() const override { return turn_->is_systematic(); }
  bool needs_every_choice() const override { return turn_->needs_every_choice(); }
  std::string explored() const override;
  std::string explain() const override;

  const std::vector<Member>& members() const { return members_; }
  /// The member that runs this execution.
  const Member& current() const { return members_[current_]; }

 private:
  /// Passes every call to two watchers.
  struct Both final : StepWatcher {
    void on_step(const ScheduleView& view, OperationId who) override {
      first->on_step(view, who);
      second->on_step(view, who);
    }
    void on_value(const ScheduleView& view, std::uint32_t value) override {
      first->on_value(view, value);
      second->on_value(view, value);
    }
    void on_stepped(OperationId who, const model::Footprint& footprint) override {
      first->on_stepped(who, footprint);
      second->on_stepped(who, footprint);
    }
    bool wants_footprints() const override { return first->wants_footprints() || second->wants_footprints(); }
    StepWatcher* first = nullptr;
    StepWatcher* second = nullptr;
  };

  std::size_t next();
  std::size_t next_in_turn() const;
  std::size_t most_promising() const;
  bool looks_on() const { return prediction_ != nullptr && turn_ != prediction_; }

  std::vector<Member> members_;
  std::size_t current_;
  Strategy* turn_;  // members_[current_].strategy
  std::uint64_t turns_ = 0;
  Prediction* prediction_ = nullptr;  // the member, if there is one
  std::size_t prediction_at_ = 0;
  Both both_;
  Recollection classes_{0};  // the order classes seen
};

}  // namespace heddle::strategy
