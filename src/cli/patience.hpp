// How long the command lets an execution stand still, by its own clock.
//
// It looks at two numbers that change while there is progress: executions begun, and steps taken as the program last
// told. A program that does not answer tells nothing, and is as one that takes no step. The first time, an execution
// has five seconds. When one had to be ended, the next ones have a few times what executions took that ended by
// themselves: a program that hangs each time must not spend the whole budget on three executions.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle::cli {

class Patience {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = std::chrono::steady_clock::duration;

  enum class Advice : std::uint8_t { wait, poke, end };

  struct Sign {
    std::uint64_t begun = 0;  // executions
    std::uint64_t steps = 0;  // of the current one
    bool runs = false;        // the program; otherwise heddle itself is at work

    bool operator==(const Sign&) const = default;
  };

  /// `budget`: of the whole run, of which one execution must not take most; zero: unlimited.
  Patience(Time now, Duration budget) : began_(now), moved_(now), budget_(budget) {}

  /// `cannot_move`: the process is stopped, or has lost its thread. After `end`, it expects the execution to be ended.
  Advice look(const Sign& sign, Time now, bool cannot_move = false);

  /// How long the current execution may stand still.
  Duration limit() const;
  Duration stands_still(Time now) const { return now - moved_; }

 private:
  Duration poke_after() const;

  Sign last_;
  Time began_;  // the current execution
  Time moved_;
  Duration budget_;
  Duration longest_{};  // of an execution that ended by itself
  std::uint64_t ended_ = 0;
  bool ends_ = false;  // the current execution was given up
  bool poked_ = false;
};

}  // namespace heddle::cli
