// Decides from one execution to the next which accesses are scheduling points: coarse first, finer when the coarse
// levels show nothing new.
//
// The fewer points an execution has, the more likely it is to hit a given order of the events that matter; the more
// points it has, the more can be found. So the levels take turns. The coarsest begins, and each of the others joins
// when the one before it has had a few executions. A level is exhausted when the last quarter of its executions, and 16
// more, brought no new schedule. Levels that are not exhausted share the turns evenly. One turn in 16 goes to any open
// level, so that a level that was given up too early is noticed. Where every access is a point has a turn only when all
// others are exhausted: it is slow, and shows more only where races are not reported.
//
// The choice depends only on the random numbers passed in and on the results reported to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "engine/settings.hpp"

namespace heddle::engine {

class Granularity {
 public:
  static constexpr std::uint64_t kQuiet = 16;         // executions without a new schedule, plus a quarter of all before
  static constexpr std::uint64_t kFirstShare = 4;     // executions of a level before the next is opened
  static constexpr std::uint32_t kTurnsForOpen = 16;  // one turn in this many goes to any open level

  /// `levels`: from the coarsest to the finest, each once; at least one.
  explicit Granularity(std::vector<Points> levels);

  /// The points of the next execution.
  Points next(Random& random);
  /// `is_new`: that execution had a schedule not seen before at its level.
  void saw(bool is_new);

  /// The last level, whether it is open or not.
  Points finest() const { return levels_.back().points; }

  /// An execution had these points, whether they were chosen here or not.
  void count(Points points) { ++counts_[static_cast<std::size_t>(points)]; }
  /// How many executions had which points: `128 at sync, 9872 at racy`.
  std::string text() const;

 private:
  struct Level {
    Points points;
    std::uint64_t executions = 0;
    std::uint64_t quiet = 0;  // consecutive executions that brought nothing new
    bool is_exhausted() const { return quiet >= kQuiet + executions / 4; }
  };

  void open_more();

  std::vector<Level> levels_;
  std::size_t open_ = 1;  // this many levels, from the first, are open
  std::size_t current_ = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(Points::kCount)> counts_{};
};

}  // namespace heddle::engine
