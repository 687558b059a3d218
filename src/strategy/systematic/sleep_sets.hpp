// Sleep sets (Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, 1996, chapter 5) for a
// depth-first search that re-runs the program along its path.
//
// An alternative that was explored at a point stays asleep in the subtrees of the later ones, until a step comes that
// depends on it. What an alternative does is known exactly, because it was run. Its footprint, or the union of the
// footprints it had with different values, is kept with it until its point is left. Nothing is guessed from the kind of
// an event. A sleeping operation stays at its event: a step that moved it would have touched it.
//
// Memory: a footprint (about 150 bytes) for each explored alternative along the path and one for each point.
#pragma once

#include <cstddef>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "model/footprint.hpp"

namespace heddle::strategy {

class SleepSets {
 public:
  /// Starts a new execution along the path.
  void begin() {
    asleep_.clear();
    next_ = 0;
    chosen_at_ = kNowhere;
  }

  bool has(OperationId who) const {
    for (const Sleeper& sleeper : asleep_)
      if (sleeper.who == who) return true;
    return false;
  }

  /// `who` is chosen at this point of the path, and was not asleep.
  void choose(std::size_t point, OperationId who) {
    while (next_ < explored_.size() && explored_[next_].point <= point) {
      if (explored_[next_].point == point) asleep_.push_back(explored_[next_]);
      ++next_;
    }
    if (steps_.size() <= point) steps_.resize(point + 1);
    steps_[point].who = who;
    chosen_at_ = point;
  }
  bool has_chosen() const { return chosen_at_ != kNowhere; }

  /// A step is complete, whether chosen or not.
  void step(OperationId who, const model::Footprint& footprint) {
    for (std::size_t i = asleep_.size(); i-- > 0;)
      if (asleep_[i].who == who || dependent(asleep_[i].footprint, footprint)) asleep_.erase(i);
    if (has_chosen()) steps_[chosen_at_].footprint.add(footprint);
    chosen_at_ = kNowhere;
  }

  /// The execution is over. A step that ended it counts as touching everything.
  void end() {
    if (has_chosen()) steps_[chosen_at_].footprint.add_everything();
    chosen_at_ = kNowhere;
  }

  /// Everything below the choice at the last point of the path is explored.
  void done(std::size_t point) {
    if (point >= steps_.size() || steps_[point].who == kNoOperation) return;  // the point chose a value
    explored_.push_back({steps_[point].who, point, steps_[point].footprint});
    steps_[point] = {};
  }
  /// The path now has this many points.
  void shorten(std::size_t points) {
    while (!explored_.empty() && explored_.back().point >= points) explored_.pop_back();
    if (steps_.size() > points) steps_.resize(points);
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};

  struct Sleeper {
    OperationId who;
    std::size_t point;  // the point of the path where it was explored
    model::Footprint footprint;
  };
  struct Step {
    OperationId who = kNoOperation;
    model::Footprint footprint = {};  // of all executions that chose it here
  };

  CommonVector<Sleeper> asleep_;      // at the current point
  CommonVector<Sleeper> explored_;    // along the path, ordered by point
  CommonVector<Step> steps_;          // the choice at each point of the path; empty for a value
  std::size_t next_ = 0;              // index in explored_ of the first whose point is still ahead
  std::size_t chosen_at_ = kNowhere;  // the point at which the running step was chosen
};

}  // namespace heddle::strategy
