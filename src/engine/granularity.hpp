// Which accesses are scheduling points, from one execution to the next: coarse first, finer when that shows nothing
// new.
//
// The fewer points an execution has, the likelier it is that a given order of what matters is hit; the more, the more
// can be found. So the levels take turns. The coarsest begins, and each of the others comes in when the one before it
// has had a few. A level is exhausted when the last quarter of its executions, and 16 more, brought no new schedule;
// those that are not share the turns evenly, and one turn in 16 goes to any, so that a level that was given up too
// early is found out. The finest has a turn only when all others are exhausted: it is slow, and shows more only where
// races are not reported.
//
// What it chooses depends on the random numbers that it is given, and on what it was told; nothing else.
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
  static constexpr std::uint64_t kQuiet = 16;         // executions without a new schedule, and a quarter of all before
  static constexpr std::uint64_t kFirstShare = 4;     // executions of a level before the next is opened
  static constexpr std::uint32_t kTurnsForOpen = 16;  // one in so many goes to any level that is open

  /// From the coarsest to the finest, each once; at least one.
  explicit Granularity(std::vector<Points> levels);

  /// Of the next execution.
  Points next(Random& random);
  /// That execution had a schedule that none had before at its level, or had not.
  void saw(bool is_new);

  /// The last of the levels, whether it is open or not.
  Points finest() const { return levels_.back().points; }

  /// An execution had these points, chosen here or not.
  void count(Points points) { ++counts_[static_cast<std::size_t>(points)]; }
  /// How many had which: `128 at sync, 9872 at racy`.
  std::string text() const;

 private:
  struct Level {
    Points points;
    std::uint64_t executions = 0;
    std::uint64_t quiet = 0;  // executions in a row that brought nothing new
    bool is_exhausted() const { return quiet >= kQuiet + executions / 4; }
  };

  void open_more();

  std::vector<Level> levels_;
  std::size_t open_ = 1;  // the first so many
  std::size_t current_ = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(Points::kCount)> counts_{};
};

}  // namespace heddle::engine
