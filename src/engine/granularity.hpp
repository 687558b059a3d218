// Decides from one execution to the next which accesses are scheduling points.
//
// The fewer points an execution has, the more likely it is to hit a given order of the events that matter; the more
// points it has, the more can be found. Neither is known beforehand, so the levels are the arms of a bandit. A level
// takes part as soon as an execution has shown that it has points which the level below lacks: for racy points, that is
// the first race. It then goes next, the finest first; the coarsest has had the first execution, or the first few.
// After that, half of the turns are shared evenly by the levels that are not exhausted. The other half go by Thompson
// sampling (Thompson 1933; Chapelle and Li, NIPS 2011): for each level a number is drawn from what is believed about
// the chance that it shows something new, and the highest goes. Older executions count less and less, because what is
// new does not stay new. One turn in 16 goes to any level, so that one that was given up too early is noticed.
//
// A level is exhausted when the last quarter of its executions, and 16 more, showed nothing new. Where every access is
// a point has a turn only when all others are exhausted: it is slow, and shows more only where races are not reported.
//
// Differs from the literature: the belief is a normal distribution with the mean and deviation of the beta distribution
// that the executions give, and a level without a failure is believed to be certain to show something new.
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

/// The points that executions can have.
struct Levels {
  std::vector<Points> all;  // from the coarsest to the finest, each once; at least one
  /// Has an execution shown that this level has points which the one before it has not?
  bool (*has_more)(Points points) = [](Points) { return true; };
  std::uint64_t turns_alone = 1;  // of the coarsest, before the others can take part
};

class Granularity {
 public:
  static constexpr std::uint64_t kQuiet = 16;        // executions without anything new, plus a quarter of all before
  static constexpr std::uint32_t kTurnsForAny = 16;  // one turn in this many goes to any level that takes part
  static constexpr double kFade = 0.99;  // the factor by which an execution reduces the weight of earlier ones

  explicit Granularity(const Levels& levels);

  /// The points of the next execution.
  Points next(Random& random);
  /// What that execution showed had not been seen before, or had been. Not called if that is not known.
  void saw(bool is_new);

  /// The last level, whether it takes part or not.
  Points finest() const { return levels_.back().points; }

  /// An execution had these points, whether they were chosen here or not.
  void count(Points points) { ++counts_[static_cast<std::size_t>(points)]; }
  /// How many executions had which points: `128 at sync, 9872 at racy`.
  std::string text() const;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  struct Level {
    Points points;
    bool takes_part = false;
    bool had_a_turn = false;
    std::uint64_t executions = 0;
    std::uint64_t quiet = 0;  // consecutive executions that showed nothing new
    double weight = 0;        // executions, older ones counting less
    double worth = 0;         // of these, the ones that showed something new
    bool is_exhausted() const { return quiet >= kQuiet + executions / 4; }
  };

  void let_in();
  bool are_all_exhausted() const;
  std::size_t newcomer() const;
  std::size_t any(Random& random, bool only_fresh) const;
  std::size_t most_promising(Random& random) const;

  std::vector<Level> levels_;
  bool (*has_more_)(Points points);
  std::uint64_t turns_alone_;  // that are left
  std::size_t current_ = 0;
  std::array<std::uint64_t, static_cast<std::size_t>(Points::kCount)> counts_{};
};

}  // namespace heddle::engine
