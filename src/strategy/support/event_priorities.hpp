// The sampler of POS: a priority for every operation's next event, drawn again when the event loses a race. See
// pos.cpp. rff.cpp puts constraints above the priorities, and fest.cpp keeps what was drawn.
//
// A choice looks at each enabled operation once; a step looks at each once more for the races.
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

  /// The enabled operation with the highest `rank(operation, priority)`.
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

  /// `who` takes its step. Its next event draws a new priority, and so do the events that lost the race to it.
  void step(const ScheduleView& view, OperationId who) {
    draw_again(who);
    lose(view, who);
  }

  /// `who` takes its step. The events that lost the race to it draw again.
  void lose(const ScheduleView& view, OperationId who) {
    const model::Event event = view.next(who);
    for (OperationId id : view.enabled)
      if (id != who && model::dependent(event, view.next(id), view.resources)) draw_again(id);
  }

  void draw_again(OperationId who) { set(who, kToBeDrawn); }

  /// Gives the next event of `who` this priority. If `who` has no priority yet, it is drawn instead.
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

  CommonVector<std::uint64_t> priorities_;  // of each operation's next event
};

}  // namespace heddle::strategy
