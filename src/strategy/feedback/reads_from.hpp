// Determines which event an event reads from: the one that last changed its resource.
//
// An abstract event is an action on a resource at a place in the code. The operation and the number of the occurrence
// are left out, so operations that run the same code count as one. A step and the event that last changed its resource
// form a reads-from pair (Wolff, Shi, Duck, Mathur and Roychoudhury, ASPLOS 2024). In the paper, events are reads and
// writes of memory. Here they are all events that touch a resource. Taking a lock reads from the last event that took
// it, so these pairs give the order of critical sections. Releasing a lock shows and changes nothing, because only its
// holder can do it. A try counts as a change although it may fail.
//
// Event numbers stay valid from one execution to the next. A step costs one lookup in a table of events. The limits in
// names.hpp bound the memory.
#pragma once

#include <array>
#include <cstdint>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "base/random.hpp"
#include "model/dependence.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class ReadsFrom {
 public:
  static constexpr std::uint32_t kNothing = 0;  // no event: the resource is in its initial state

  struct Pair {
    std::uint32_t event = kNothing;
    std::uint32_t from = kNothing;
    std::uint64_t key() const { return std::uint64_t{event} << 32 | from; }
    bool operator==(const Pair&) const = default;
  };

  void begin() {
    resources_.begin();
    uses_.clear();
    lately_shown_.fill({});
  }

  /// The number of the event, which must compete for its resource.
  std::uint32_t number(const ScheduleView& view, const model::Event& event) {
    Use& use = use_of(event.resource);
    for (const Asked& asked : use.asked)
      if (asked.what == key(event)) return asked.number;
    use.asked[1] = use.asked[0];
    use.asked[0] = {key(event), look_up(view, event)};
    return use.asked[0].number;
  }
  /// The name of a resource; and of the resource of an event.
  std::uint32_t name(const ScheduleView& view, ResourceId id) { return resources_(view, id); }
  std::uint32_t resource_of(std::uint32_t number) const { return events_[number].resource; }
  bool changes(std::uint32_t number) const { return events_[number].changes; }

  /// The event that last changed it in this execution.
  std::uint32_t last_change(ResourceId id) const {
    return index(id) < uses_.size() ? uses_[index(id)].last_change : kNothing;
  }

  /// Would `step` show nothing and change nothing? Then it need not be called. This finds most such steps, without a
  /// branch, because a branch on the reason could not be predicted.
  bool is_settled(const model::Event& event, OperationId who) const {
    if (index(event.resource) >= uses_.size()) [[unlikely]]
      return false;
    const Use& use = uses_[index(event.resource)];
    const std::uint64_t differs = (use.settled ^ key(event)) | ((index(use.by) ^ index(who)) & use.only_one);
    return (differs & (std::uint64_t{model::gives_back(event.kind)} - 1)) == 0;
  }

  /// `who` takes its step. Returns the reads-from pair; empty if the event does not compete, or if the pair was
  /// recently shown in this execution.
  Pair step(const ScheduleView& view, OperationId who) {
    const model::Event& event = view.next(who);
    if (!competes(event)) return {};
    const std::uint32_t number_of_it = number(view, event);
    Use& use = uses_[index(event.resource)];
    const Pair pair{number_of_it, use.last_change};
    if (use.by != who) {
      if (use.by != kNoOperation && use.only_one != 0) [[unlikely]]
        share(use, resource_of(pair.event));
      use.by = who;
    }
    if (model::changes(event)) use.last_change = pair.event;
    Pair& shown = lately_shown(pair);
    const bool was_shown = shown == pair;
    shown = pair;
    const Pair again{pair.event, use.last_change};
    use.settled = lately_shown(again) == again ? key(event) : 0;
    return was_shown ? Pair{} : pair;
  }

  /// A pair, seen or not, of a resource that several operations use and change: any event of it, with any change or
  /// none. The event is kNothing if there is no such resource.
  Pair any_pair(Random& random) const {
    if (racy_.empty()) return {};
    const std::uint32_t event = racy_[random.below(static_cast<std::uint32_t>(racy_.size()))];
    return {event, any_change(random, resource_of(event))};
  }
  std::uint32_t any_change(Random& random, std::uint32_t resource) const {
    std::uint32_t chosen = kNothing;
    std::uint32_t changes = 1;
    for (std::uint32_t at = known_[resource].newest; at != kNothing; at = events_[at].before)
      if (events_[at].changes && random.below(++changes) == 0) chosen = at;
    return chosen;
  }

 private:
  static constexpr std::uint32_t kLately = 64;
  static constexpr std::uint32_t kSpread = 11;  // few programs have more events on one resource

  struct Event {
    std::uint32_t resource = ResourceNames::kNone;
    std::uint32_t before = kNothing;  // the previous event of the same resource
    bool changes = false;
  };
  /// An event whose number was looked up.
  struct Asked {
    std::uint64_t what = 0;  // key
    std::uint32_t number = kNothing;
  };
  /// A resource in this execution.
  struct Use {
    std::uint64_t settled = 0;      // key of the last event, if repeating it would show and change nothing
    OperationId by = kNoOperation;  // the last operation that used it
    std::uint32_t last_change = kNothing;
    std::array<Asked, 2> asked;    // the last two lookups
    std::uint32_t only_one = ~0u;  // all ones: only one operation uses it; 0: several do
  };
  /// A resource across all executions.
  struct Known {
    std::uint32_t newest = kNothing;  // the newest of its events
    bool by_several = false;
    bool changed = false;
    bool is_racy() const { return by_several && changed; }
  };

  /// The action and its place. Code addresses have at most 56 bits.
  static std::uint64_t key(const model::Event& event) {
    return static_cast<std::uint64_t>(event.kind) << 56 | reinterpret_cast<std::uintptr_t>(event.place);
  }

  /// The slot that holds the pair if it was recently shown.
  Pair& lately_shown(const Pair& pair) { return lately_shown_[(pair.event * kSpread + pair.from) % kLately]; }

  Use& use_of(ResourceId id) {
    if (uses_.size() <= index(id)) [[unlikely]]
      uses_.resize(index(id) + 1);
    return uses_[index(id)];
  }

  [[gnu::noinline]] std::uint32_t look_up(const ScheduleView& view, const model::Event& event) {
    const std::uint32_t resource = resources_(view, event.resource);
    const std::uint64_t what = std::uint64_t{resource} << 8 | static_cast<std::uint64_t>(event.kind);
    const std::uint32_t number = 1 + interned_(reinterpret_cast<std::uintptr_t>(event.place) * kGolden + mix(what));
    if (number >= events_.size()) meet(number, resource, model::changes(event));
    return number;
  }

  void meet(std::uint32_t number, std::uint32_t resource, bool changes) {
    events_.resize(number + 1);
    if (known_.size() <= resource) known_.resize(resource + 1);
    Known& known = known_[resource];
    events_[number] = {resource, known.newest, changes};
    known.newest = number;
    if (known.is_racy()) {
      racy_.push_back(number);
    } else {
      known.changed |= changes;
      add_if_racy(known);
    }
  }

  [[gnu::noinline]] void share(Use& use, std::uint32_t resource) {
    use.only_one = 0;
    Known& known = known_[resource];
    if (known.by_several) return;
    known.by_several = true;
    add_if_racy(known);
  }

  void add_if_racy(const Known& known) {
    if (!known.is_racy()) return;
    for (std::uint32_t at = known.newest; at != kNothing; at = events_[at].before) racy_.push_back(at);
  }

  ResourceNames resources_;
  Interned interned_;
  CommonVector<Event> events_;              // indexed by number
  CommonVector<Use> uses_;                  // indexed by resource
  CommonVector<Known> known_;               // indexed by name
  std::array<Pair, kLately> lately_shown_;  // in this execution; each pair has one slot
  CommonVector<std::uint32_t> racy_;        // events of resources that several operations use and change
};

}  // namespace heddle::strategy
