// Replay: follows a recorded schedule.
//
// If the program is deterministic, the execution is the recorded one. The schedule may become impossible to follow: its
// operation is not enabled, a value is asked for where an operation was recorded or the other way round, or the
// schedule has ended. Then the position is remembered, and the rest of the execution takes the first enabled operation
// and the value 0.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class Replay final : public Strategy {
 public:
  /// `as_if_fair`: was the schedule made by a fair strategy? Only then is an endless one a livelock.
  explicit Replay(std::span<const Choice> schedule, bool as_if_fair = true);

  bool begin(Random&) override;  // true once
  OperationId choose_operation(const ScheduleView& view) override;
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) override;

  bool is_fair() const override { return as_if_fair_ && !diverged_at_; }
  std::string explored() const override { return "the recorded schedule"; }

  /// The first choice that could not be followed, counted from 0.
  std::optional<std::size_t> diverged_at() const { return diverged_at_; }
  /// The number of choices followed. If it is less than the schedule has, without divergence, the execution ended
  /// early.
  std::size_t followed() const { return followed_; }

 private:
  /// The choice recorded for this point, if it is of this kind.
  const Choice* next(bool is_value) const;
  void diverge();

  CommonVector<Choice> schedule_;
  std::size_t followed_ = 0;
  std::optional<std::size_t> diverged_at_;
  bool as_if_fair_;
  bool begun_ = false;
};

/// Already begun, without a schedule: it always takes the first enabled operation and the value 0.
std::unique_ptr<Strategy> first_enabled();

}  // namespace heddle::strategy
