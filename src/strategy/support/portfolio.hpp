// Portfolio: several strategies that share the executions, the more going to those that show new things.
//
// No strategy is best on every program, and which one is best cannot be seen beforehand. An execution is worth 1 to the
// member that made it if it is of an order class (order_class.hpp) that none was before, or if it fails, and 0 if not.
// Every other execution goes to the members in turn, in shares that are fixed, so that none can be starved by one that
// did well early. The others go to the member with the highest upper confidence bound on what its next execution is
// worth (UCB1, Auer, Cesa-Bianchi and Fischer 2002), where older executions count less and less, because what is new
// does not stay so; who has the larger share gains more by not having been asked. While everything is new, all have
// their shares, in the order of the list. The member `predict` looks on at every execution, and comes next as soon as
// it has something to confirm, in every other execution at most. A member that has nothing left to explore drops out;
// the portfolio ends when all have.
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
    double share = 1;  // of the executions, beside those of the others
    bool finished = false;
    std::uint64_t executions = 0;
    std::uint64_t new_classes = 0;  // of order
    std::uint64_t failures = 0;
    double dealt = 0;   // turns in the order of the list, in shares
    double weight = 0;  // executions, the older the less
    double worth = 0;   // of those
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
  std::string explored() const override;
  std::string explain() const override;

  const std::vector<Member>& members() const { return members_; }
  /// Whose execution this is.
  const Member& current() const { return members_[current_]; }

 private:
  /// Tells two.
  struct Both final : StepWatcher {
    void on_step(const ScheduleView& view, OperationId who) override {
      first->on_step(view, who);
      second->on_step(view, who);
    }
    void on_value(const ScheduleView& view, std::uint32_t value) override {
      first->on_value(view, value);
      second->on_value(view, value);
    }
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
  Recollection classes_{0};  // that were seen
};

}  // namespace heddle::strategy
