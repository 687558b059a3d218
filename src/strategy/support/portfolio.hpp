// Portfolio: several strategies share the executions; a few that do well on most programs have most of them.
//
// No strategy is best on every program, and which one is best cannot be known beforehand. Every member has a share. An
// execution costs its member 1 / share if it shows something new, an order class (order_class.hpp) that no execution
// has shown or a failure, and eight times that if it does not. The next turn goes to the member whose account would be
// lowest in the middle of that turn (stride scheduling, Waldspurger and Weihl 1994, where the cost is what differs). So
// members with large shares come first and others later; one that shows nothing falls silent, but keeps an eighth of
// its share; and one that shows something in every execution has at most eight times its share. A member that is for
// the beginning fades: its n-th execution costs 1 + n / `fades` times as much as its first.
//
// The shares are others where state machines send events to each other: what learns from inboxes is best there, and
// sees nothing elsewhere.
//
// The member `predict` watches every execution, and goes next as soon as it has something to confirm, but at most in
// every other execution, and for nothing. A member with nothing left to explore drops out. The portfolio ends when all
// have.
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
    double share = 1;              // relative to the shares of the others; 0: it has no turn
    double share_of_machines = 1;  // the same where there are machines
    double fades = 0;              // after so many executions, one costs twice as much as the first; 0: never
    bool finished = false;
    std::uint64_t executions = 0;
    std::uint64_t new_classes = 0;  // order classes first shown by it
    std::uint64_t failures = 0;
    double spent = 0;  // by its executions, but for those that confirm predictions
  };

  explicit Portfolio(std::vector<Member> members);

  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) override {
    has_machines_ = has_machines_ || is_of_machines(view.next(view.enabled.front()));
    return turn_->choose_operation(view);
  }
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

  static bool is_of_machines(const model::Event& event) {
    return event.kind == model::EventKind::send || event.kind == model::EventKind::receive;
  }
  bool has_prediction() const;
  double cost(const Member& member) const;  // of its next execution, if that shows something new
  std::size_t next_in_turn() const;
  bool looks_on() const { return prediction_ != nullptr && turn_ != prediction_; }

  std::vector<Member> members_;
  std::size_t current_;
  Strategy* turn_;  // members_[current_].strategy
  std::uint64_t turns_ = 0;
  bool has_machines_ = false;         // seen so far
  bool is_free_ = false;              // this execution confirms a prediction
  Prediction* prediction_ = nullptr;  // the member, if there is one
  std::size_t prediction_at_ = 0;
  Both both_;
  Recollection classes_{0};  // the order classes seen
};

}  // namespace heddle::strategy
