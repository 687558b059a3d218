// Portfolio: several strategies that take turns, an execution each.
//
// No strategy is best on every program, and which one is best cannot be seen beforehand. Taking turns costs at most a
// factor of the number of members against the best of them, and is what finds most when nothing is known. A member that
// has nothing left to explore drops out; the portfolio ends when all have.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strategy/strategy.hpp"

namespace heddle::strategy {

class Portfolio final : public Strategy {
 public:
  struct Member {
    std::string spec;  // as in the table: pct:depth=2
    std::unique_ptr<Strategy> strategy;
    bool finished = false;
  };

  explicit Portfolio(std::vector<Member> members);

  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) override { return turn_->choose_operation(view); }
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) override {
    return turn_->choose_value(view, bound);
  }
  void end(const ExecutionSummary& summary) override { turn_->end(summary); }

  bool is_fair() const override { return turn_->is_fair(); }
  bool is_systematic() const override { return turn_->is_systematic(); }
  std::string explored() const override;

  const std::vector<Member>& members() const { return members_; }
  /// Whose execution this is.
  const Member& current() const { return members_[current_]; }

 private:
  std::vector<Member> members_;
  std::size_t current_;
  Strategy* turn_;  // members_[current_].strategy
};

}  // namespace heddle::strategy
