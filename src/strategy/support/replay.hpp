// Replay: follows a schedule that was recorded.
//
// If the program is deterministic, the execution is the recorded one. Where the schedule cannot be followed (its
// operation is not enabled, a value is asked for and an operation was recorded or the other way round, or it has come
// to its end), the place is remembered, and the rest of the execution takes the first enabled operation and the value
// 0.
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
  /// `as_if_fair`: was the schedule made by a fair strategy? Only then is one without end a livelock.
  explicit Replay(std::span<const Choice> schedule, bool as_if_fair = true);

  bool begin(Random&) override;  // true once
  OperationId choose_operation(const ScheduleView& view) override;
  std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) override;

  bool is_fair() const override { return as_if_fair_ && !diverged_at_; }
  std::string explored() const override { return "the recorded schedule"; }

  /// The first choice that could not be followed, counted from 0.
  std::optional<std::size_t> diverged_at() const { return diverged_at_; }
  /// How many choices were followed. Fewer than the schedule has, without divergence: the execution ended early.
  std::size_t followed() const { return followed_; }

 private:
  /// The choice recorded for this point, if it is one of that kind.
  const Choice* next(bool is_value) const;
  void diverge();

  CommonVector<Choice> schedule_;
  std::size_t followed_ = 0;
  std::optional<std::size_t> diverged_at_;
  bool as_if_fair_;
  bool begun_ = false;
};

/// Begun already, and without a schedule: it always takes the first enabled operation and the value 0.
std::unique_ptr<Strategy> first_enabled();

}  // namespace heddle::strategy
