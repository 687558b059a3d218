// Decides which operation should go next for an abstract schedule to come true, and which should wait. See rff.cpp.
//
// For a wanted pair, the event waits until its resource has the right change, and that change is sought. Once it has
// happened, the event is sought and other changes wait. For an unwanted pair, the change waits for as long as it can.
// Once it has happened, the event waits and another change is sought. A wanted pair is wanted only until it has been
// seen.
//
// Sought operations go before those not mentioned, and those before waiting ones. Nothing waits if nothing else can go.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/feedback/abstract_schedule.hpp"
#include "strategy/feedback/reads_from.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

enum class Turn : std::uint8_t { waits, neutral, sought };

class Steering {
 public:
  explicit Steering(ReadsFrom& reads_from) : reads_from_(reads_from) {}

  void begin(const AbstractSchedule& schedule) {
    constraints_.clear();
    concerns_.clear();
    waiting_ = awaited_ = 0;
    version_ = 1;
    for (const Constraint& constraint : schedule.constraints())
      constraints_.push_back({constraint, reads_from_.resource_of(constraint.pair.event)});
  }

  /// Drops all constraints from now on.
  void release() { constraints_.clear(); }

  bool is_empty() const { return constraints_.empty(); }

  /// The operation is at another event, or lost a race. Do the constraints concern it?
  bool stand(const ScheduleView& view, OperationId id) {
    const model::Event& event = view.next(id);
    return event.resource != kNoResource && concerns(view, event.resource) && stand_before(view, id, event);
  }

  /// Called for every enabled operation that `stand` found concerned. `chosen` follows.
  Turn turn(OperationId id) {
    Standing& standing = standing_[index(id)];
    if (standing.version != version_) [[unlikely]]
      work_out(standing);
    waiting_ |= standing.waits_for;
    return standing.turn;
  }
  void chosen() {
    version_ += awaited_ != waiting_;
    awaited_ = waiting_;
    waiting_ = 0;
  }

  /// A step that may have changed which event last changed its resource. `pair` is what it showed, if that is not
  /// settled.
  void step(const ReadsFrom::Pair& pair) {
    ++version_;
    if (pair.event == ReadsFrom::kNothing) return;
    for (Active& active : constraints_)
      if (active.is_wanted && active.pair == pair) active.is_met = true;
  }

 private:
  struct Active : Constraint {
    Active() = default;
    Active(const Constraint& constraint, std::uint32_t its_resource) : Constraint(constraint), resource(its_resource) {}
    std::uint32_t resource = 0;
    bool is_met = false;
  };

  /// The event that a concerned operation is at.
  struct Standing {
    std::uint32_t number = ReadsFrom::kNothing;
    ResourceId resource = kNoResource;
    std::uint32_t version = 0;    // for which the turn was computed
    std::uint32_t waits_for = 0;  // constraints whose pair has this event
    Turn turn = Turn::neutral;
  };
  enum class Concern : std::uint8_t { unknown, no, yes };

  // Out of line, as is `work_out`: they are rarely called, and without them choices have more registers.
  [[gnu::noinline]] bool stand_before(const ScheduleView& view, OperationId id, const model::Event& event) {
    if (!competes(event)) return false;
    if (index(id) >= standing_.size()) standing_.resize(index(id) + 1);
    standing_[index(id)] = {reads_from_.number(view, event), event.resource, 0, 0, Turn::neutral};
    return true;
  }

  bool concerns(const ScheduleView& view, ResourceId id) {
    if (concerns_.size() <= index(id) || concerns_[index(id)] == Concern::unknown) [[unlikely]]
      meet(view, id);
    return concerns_[index(id)] == Concern::yes;
  }
  [[gnu::noinline]] void meet(const ScheduleView& view, ResourceId id) {
    if (concerns_.size() <= index(id)) concerns_.resize(index(id) + 1);
    concerns_[index(id)] = Concern::no;
    const std::uint32_t resource = reads_from_.name(view, id);
    for (const Active& active : constraints_)
      if (active.resource == resource) concerns_[index(id)] = Concern::yes;
  }

  [[gnu::noinline]] void work_out(Standing& standing) {
    standing.version = version_;
    standing.waits_for = 0;
    standing.turn = turn_of(standing.number, reads_from_.last_change(standing.resource), standing.waits_for);
  }

  /// The turn of an event whose resource was last changed by `last`.
  Turn turn_of(std::uint32_t event, std::uint32_t last, std::uint32_t& waits_for) const {
    const std::uint32_t resource = reads_from_.resource_of(event);
    const bool changes = reads_from_.changes(event);
    bool is_sought = false;
    for (std::uint32_t i = 0; i < constraints_.size(); ++i) {
      const Active& active = constraints_[i];
      if (active.resource != resource || active.is_met) continue;
      const ReadsFrom::Pair& pair = active.pair;
      const bool is_there = last == pair.from;
      if (event == pair.event) waits_for |= 1u << i;
      const bool is_awaited = (awaited_ >> i & 1) != 0;
      if (active.is_wanted) {
        if (event == pair.event && is_there) {
          is_sought = true;
        } else if (event == pair.from) {
          is_sought |= is_awaited && !is_there;
        } else if (event == pair.event || (changes && is_there)) {
          return Turn::waits;
        }
      } else {
        if (event == pair.from || (event == pair.event && is_there)) return Turn::waits;
        is_sought |= changes && is_there && is_awaited;
      }
    }
    return is_sought ? Turn::sought : Turn::neutral;
  }

  ReadsFrom& reads_from_;
  CommonVector<Active> constraints_;
  CommonVector<Concern> concerns_;   // indexed by resource: does a constraint mention it?
  CommonVector<Standing> standing_;  // indexed by operation
  std::uint32_t waiting_ = 0;        // constraints whose event an operation is at, as far as seen in this choice
  std::uint32_t awaited_ = 0;        // the same, for the previous choice
  std::uint32_t version_ = 1;        // changes with everything that turns depend on
};

static_assert(AbstractSchedule::kMost <= 32);

}  // namespace heddle::strategy
