// The sampler of POS: a priority for every event that an operation stands before, drawn anew when it loses a race. See
// pos.cpp; rff.cpp puts constraints above the priorities, and fest.cpp keeps what was drawn.
//
// A choice looks at the enabled operations once each, a step once more for the races.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "model/dependence.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class EventPriorities {
 public:
  void begin() { priorities_.clear(); }

  /// The enabled operation with the highest priority. `draw(operation)` gives 64 random bits.
  template <typename Draw>
  OperationId choose(const ScheduleView& view, const Draw& draw) {
    return choose(view, draw, [](OperationId, std::uint64_t priority) { return priority; });
  }

  /// The one with the highest `rank(operation, priority)`.
  template <typename Draw, typename Rank>
  OperationId choose(const ScheduleView& view, const Draw& draw, const Rank& rank) {
    OperationId best = view.enabled.front();
    std::uint64_t highest = rank(best, priority_of(best, draw));
    for (OperationId id : view.enabled.subspan(1)) {
      const std::uint64_t other = rank(id, priority_of(id, draw));
      if (other <= highest) continue;
      best = id;
      highest = other;
    }
    return best;
  }

  /// `who` takes its step: it will stand before another event, and those that lost the race to it draw again.
  void step(const ScheduleView& view, OperationId who) {
    draw_again(who);
    lose(view, who);
  }

  /// `who` takes its step: those that lost the race to it draw again.
  void lose(const ScheduleView& view, OperationId who) {
    const model::Event event = view.next(who);
    for (OperationId id : view.enabled)
      if (id != who && model::dependent(event, view.next(id), view.resources)) draw_again(id);
  }

  void draw_again(OperationId who) { set(who, kToBeDrawn); }

  /// Whatever `who` will stand before has this priority; of one that has none yet, it is drawn all the same.
  void set(OperationId who, std::uint64_t priority) {
    if (index(who) < priorities_.size()) priorities_[index(who)] = priority;
  }

 private:
  static constexpr std::uint64_t kToBeDrawn = 0;

  template <typename Draw>
  std::uint64_t priority_of(OperationId id, const Draw& draw) {
    if (index(id) >= priorities_.size()) [[unlikely]]
      priorities_.resize(index(id) + 1);
    std::uint64_t& priority = priorities_[index(id)];
    if (priority == kToBeDrawn) priority = draw(id) | 1;
    return priority;
  }

  CommonVector<std::uint64_t> priorities_;  // of the event that each operation stands before
};

}  // namespace heddle::strategy
