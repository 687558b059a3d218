// Where each operation stands, which operations are enabled, and which goes next. It knows nothing about threads.
//
// Every operation except the running one stands at a scheduling point, just before an event. If a resource must admit
// the event, the operation is linked to that resource; when the resource changes, the operations that stand there are
// re-examined, and where many stand alike, they are examined as one (engine/crowds.hpp). So the cost of a step depends
// on what changes and not on the number of waiting operations. Fronts (pthread, C API, programs as data) drive the
// scheduler in two moves: `stand`, then `pick`. The event takes effect when its operation is picked.
//
// Fairness. An operation that pauses (yields, sleeps, times out) at a place where it has paused before is assumed to be
// in a loop. It then waits behind every operation that could go on and has taken no step since its last pause. This is
// the idea of fair stateless model checking (Musuvathi and Qadeer, PLDI 2008), with "took no step in the window" in
// place of "was enabled throughout the window and took no step": it needs one number per operation instead of three
// sets. It cannot deadlock: an operation that waits behind another has itself stepped later, so the relation has no
// cycle. It can leave out schedules of a loop that only counts. `left_out_unfair` reports that, and a search then
// claims only "every fair schedule".
#pragma once

#include <cstdint>
#include <span>

#include "base/check.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "engine/chooser.hpp"
#include "engine/crowds.hpp"
#include "engine/enabled_set.hpp"
#include "engine/environment.hpp"
#include "engine/settings.hpp"
#include "model/event.hpp"
#include "model/footprint.hpp"
#include "model/resource.hpp"
#include "model/wait_queue.hpp"
#include "strategy/strategy.hpp"
#include "trace/schedule.hpp"

namespace heddle::engine {

inline constexpr std::uint64_t kNever = ~0ull;  // no deadline

/// Sees each step of an execution. Only a run that is being recorded has an observer.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// `preempts`: another operation took the last step and could have gone on.
  virtual void on_step(OperationId who, const model::Event& event, bool was_choice, bool preempts) = 0;
  virtual void on_value(OperationId who, std::uint32_t value, std::uint32_t bound) = 0;
};

/// A point in an execution at which everything stops once and another strategy takes over: the end of a prefix that
/// many executions share (src/preload/prefixed.hpp).
class Gate {
 public:
  virtual ~Gate() = default;
  /// Is the gate before this step, or before a value that is chosen before this step? `leads_to_choice`: a choice is
  /// next, or other operations can go on, or another is about to begin.
  virtual bool is_at(std::uint64_t step, bool leads_to_choice) const = 0;
  /// Returns what directs the execution from here on.
  virtual Chooser pass() = 0;
};

class Scheduler {
 public:
  /// Discards the last execution and begins another; capacity is kept.
  void begin(const Settings& settings, Chooser chooser, StepObserver* observer, Gate* gate = nullptr);
  strategy::Strategy& strategy() const { return *strategy_; }
  /// Valid until the next `begin`. Null: the operations depend only on each other.
  void set_environment(Environment* environment) { environment_ = environment; }
  Environment* environment() const { return environment_; }
  /// In the middle of an execution: replaces what directs it; `chooser` is what directs it now.
  void take_over(Chooser chooser) { listen_to(chooser); }
  Chooser chooser() const { return {*strategy_, other_watcher_}; }

  // Operations.
  OperationId add_operation(OperationId parent, model::Event first);
  void end_operation(OperationId id);  // it took its last step
  std::uint32_t operation_count() const { return static_cast<std::uint32_t>(operations_.size()); }
  std::uint32_t live_count() const { return live_; }
  /// The operation serves the others (as a timer does): an execution ends without it, and its waiting is not a
  /// deadlock.
  void make_service(OperationId id) { set_service(id, true); }
  /// The same for an operation that serves only at times.
  void set_service(OperationId id, bool serves) {
    State& state = operations_[index(id)];
    live_ += static_cast<std::uint32_t>(state.service) - static_cast<std::uint32_t>(serves);
    state.service = serves;
  }
  bool is_service(OperationId id) const { return operations_[index(id)].service; }
  bool has_ended(OperationId id) const { return candidates_[index(id)].has_ended; }
  /// Can it take its next step now, by its resource rather than by its deadline?
  bool is_admitted(OperationId id) const {
    const State& state = operations_[index(id)];
    return is_in_crowd(state) ? crowds_[state.linked].is_admitted : state.admitted;
  }
  bool is_enabled(OperationId id) const {
    const State& state = operations_[index(id)];
    return state.enabled || (is_in_crowd(state) && crowds_[state.linked].is_admitted);
  }
  OperationId current() const { return current_; }
  OperationId parent(OperationId id) const { return candidates_[index(id)].parent; }
  const model::Event& next(OperationId id) const { return candidates_[index(id)].next; }
  std::uint64_t last_step(OperationId id) const { return operations_[index(id)].last_step; }
  std::uint64_t deadline(OperationId id) const { return operations_[index(id)].deadline; }
  model::WaitLinks& links() { return links_; }

  // Resources. References are valid until the next `add_resource`.
  ResourceId add_resource(model::ResourceKind kind, const void* address);
  model::Resource& resource(ResourceId id) { return resources_[index(id)]; }
  const model::Resource& resource(ResourceId id) const { return resources_[index(id)]; }
  std::uint32_t resource_count() const { return static_cast<std::uint32_t>(resources_.size()); }

  // `stand`, `stand_before`, `changed` and `pick` are the path of every scheduling point. The common case is inline
  // below; the rest is out of line. Events are passed by value, that is, in registers: an event that is written to
  // memory field by field and then copied as a whole stalls the processor until the stores are done.

  /// `id` stands before `event`, which is always admitted.
  void stand(OperationId id, model::Event event);
  /// The same for an operation that may already stand before something else.
  void stand_slowly(OperationId id, model::Event event);
  /// The same for an event that its resource must admit, until `deadline` of virtual time. False: the operation must
  /// wait until the resource changes, however long that takes.
  bool stand_before(OperationId id, model::Event event, std::uint64_t deadline = kNever);
  /// The same, where the wait ends only by `deadline`, or by a `stand` or `stand_before` that another operation makes.
  void stand_blocked(OperationId id, model::Event event, std::uint64_t deadline = kNever, bool spurious = false);
  /// An operation that stands blocked is moved on from outside; it may be the operation that took the last step.
  void move_on(OperationId id, model::Event event) { stand_slowly(id, event); }
  /// Another operation first stands before `event`, and returns to its current position when it calls `resume`. If it
  /// is moved on in the meantime, it is moved on at that position.
  void interrupt(OperationId id, model::Event event);
  /// The event at which the running operation was interrupted.
  const model::Event& interrupted() const { return positions_[last_position(current_)].event; }
  bool interrupted_has_deadline() const { return positions_[last_position(current_)].deadline != kNever; }
  /// True if the running operation was interrupted in a wait that another operation must end.
  bool is_interrupted_in_a_wait() const;
  /// The running operation stands again where it was interrupted.
  void resume();
  /// The running operation does not return there: it goes on as if it had taken the step at which it was interrupted.
  void leave_interrupted();
  /// `patient`: its deadline comes only with time, not when the strategy decides. Applies the next time it stands.
  void set_patient(OperationId id, bool patient);

  /// The resource has changed: re-examines every operation that stands there.
  void changed(ResourceId id);

  // The footprint of the running step, if a strategy asks for it. What the event itself declares (model/event_table),
  // what `changed` is told and which operations it moves on are recorded here. Code that touches more must say so.
  void touch(ResourceId id, model::Does does) {
    if (collects_) [[unlikely]]
      footprint_.add(model::Footprint::of(resources_[index(id)], id, does));
  }
  void touch(OperationId id, model::Does does) {
    if (collects_) [[unlikely]]
      footprint_.add(model::Footprint::of(id, does));
  }
  void touch_part(const model::Part& part) {
    if (collects_) [[unlikely]]
      footprint_.add(part);
  }
  void touch_clock(model::Does does) { touch_part({model::Part::Of::clock, does, 1, 0}); }
  bool collects_footprints() const { return collects_; }

  /// May the running operation take a step without a choice, if no other operation can tell the difference?
  bool spares_choices() const { return spares_ && operations_[index(current_)].behind == 0; }
  /// For the rest of the execution every point is a choice: handlers can run between any two steps.
  void spare_nothing() {
    keeps_choices_ = true;
    spares_ = false;
  }
  /// Of an execution that others share up to here: the points and choices that it has from here on.
  void vary(Points points, Choices choices) {
    settings_.points = points;
    settings_.choices = choices;
    spares_ = choices == Choices::needed && !keeps_choices_;
  }
  /// Has the running operation taken no step but its start?
  bool has_just_started() const { return candidates_[index(current_)].next.kind == model::EventKind::start; }
  /// The running operation takes the step that it stands before, without a choice.
  void go_on();

  /// The operation that takes the next step, or kNoOperation if none can. Consults the strategy where there is a
  /// choice.
  OperationId pick();
  /// True if the operation picked last came by its deadline (or spuriously) rather than by being admitted.
  bool expired() const { return expired_; }
  std::uint32_t choose_value(std::uint32_t bound, bool is_failure = false);

  strategy::EnabledView enabled() const { return enabled_.view(); }
  std::uint64_t steps() const { return steps_; }
  /// True if an operation that could go on was ever not offered because it waited behind others.
  bool left_out_unfair() const { return left_out_unfair_; }
  std::span<const Choice> schedule() const { return schedule_.span(); }
  std::uint64_t now() const { return now_; }
  /// The same for the running operation, whose step then includes having read the clock.
  std::uint64_t look_at_clock() {
    touch_clock(model::Does::reads);
    return now_;
  }
  /// The state that an operation exposes to strategies that learn.
  void observe(OperationId id, std::uint64_t hash) { candidates_[index(id)].observed = hash; }
  /// The same for an object of the program.
  void observe(const void* object, std::uint64_t hash);
  void advance_to(std::uint64_t time) {
    touch_clock(model::Does::writes);
    now_ = time > now_ ? time : now_;
  }
  const Settings& settings() const { return settings_; }
  /// May be called from a signal handler: the next step finds that the bound is reached, and looks why.
  void bound_steps(std::uint64_t steps_max) { settings_.steps_max = steps_max; }

 private:
  struct State {
    OperationId standing_next = kNoOperation;  // list of the operations that stand at the same resource
    OperationId standing_previous = kNoOperation;
    std::uint64_t deadline = kNever;
    std::uint64_t last_step = 0;
    std::uint64_t behind = 0;      // not 0: waits behind operations whose last step is not after this one
    std::uint32_t last_pause = 0;  // cut to 32 bits; no execution has that many steps
    std::uint32_t paused_at = 0;   // index + 1 in pauses_ of a place where it paused; 0: none
    std::uint16_t linked = 0;      // kListed: in the list of next.resource; else the crowd it is in; 0: neither
    bool enabled = false;          // in a crowd: false, and the crowd knows
    bool admitted = false;         // enabled by its resource rather than by its deadline; in a crowd: when it joined,
                                   // unless it is the current operation
    bool spurious = false;         // may wake without a reason
    bool service = false;
    bool patient = false;
    bool interrupted = false;  // has positions to return to
  };
  static constexpr std::uint16_t kListed = Crowds::kMost + 1;
  static bool is_in_crowd(const State& state) { return state.linked - 1u < Crowds::kMost; }

  struct Position {
    enum class How : std::uint8_t { admitted, before_resource, blocked };
    OperationId of;
    model::Event event;
    std::uint64_t deadline;
    How how;
    bool spurious;
  };

  struct Pause {
    const void* place;
    std::uint32_t next;  // index + 1 of another place of the same operation; 0: none
  };

  struct Observed {
    const void* object;
    std::uint64_t part;  // its share of observed_sum_
  };

  std::size_t last_position(OperationId id) const;
  Position pop_position();
  Position* position_moved_by_another(OperationId id);
  bool stand_before_slowly(OperationId id, model::Event event, std::uint64_t deadline);
  void changed_slowly(ResourceId id);
  OperationId pick_slowly();
  [[gnu::cold]] void go_on_slowly();
  OperationId take_step(OperationId next);
  void take_unusual_step(State& state);
  bool has_paused_there(State& state);
  void set_spurious(State& state, bool spurious);
  void place(OperationId id, model::Event event, bool admitted, std::uint64_t deadline, bool spurious);
  void link(OperationId id, model::Resource& resource);
  void unlink(OperationId id);
  bool flips(State& state, bool admitted);
  void set_enabled(OperationId id, bool admitted);
  void enter_or_leave(OperationId id);
  // Not inline: the usual path of a point should stay short.
  [[gnu::noinline]] bool joins_crowd(OperationId id, const model::Resource& at, model::EventKind kind, bool admitted);
  [[gnu::noinline]] void leave_crowd(OperationId id);
  void change_crowd(const model::Resource& at);
  void form_crowd(ResourceId id);
  bool is_like(OperationId id, model::EventKind kind, bool admitted) const;
  bool wake_sleepers();
  void pass_time_to(std::uint64_t time);
  bool only_spurious() const;
  bool current_yields() const;
  OperationId decide(strategy::EnabledView choices);
  strategy::ScheduleView view_of(strategy::EnabledView choices) const;
  void come_to(bool is_choice);
  bool may_lead_to_choice() const;
  void listen_to(Chooser chooser);
  bool has_watchers() const { return watcher_ != nullptr || other_watcher_ != nullptr; }
  void tell_watchers(OperationId next);
  void begin_footprint(OperationId who);
  void end_footprint();
  void touch_changed(ResourceId id);
  void note_moved(OperationId id) {
    if (id != current_) touch(id, model::Does::writes);
  }
  strategy::EnabledView fair_choices();

  strategy::Strategy* strategy_ = nullptr;
  strategy::StepWatcher* watcher_ = nullptr;  // the strategy's
  strategy::StepWatcher* other_watcher_ = nullptr;
  StepObserver* observer_ = nullptr;
  Gate* gate_ = nullptr;
  EnabledSet enabled_;
  Crowds crowds_;
  PageVector<strategy::Candidate> candidates_;  // indexed by operation
  PageVector<State> operations_;                // indexed by operation
  PageVector<model::Resource> resources_;
  PageVector<Choice> schedule_;
  PageVector<OperationId> fair_;   // scratch of fair_choices
  PageVector<Observed> observed_;  // objects, in the order of their first observation
  std::uint64_t observed_sum_ = 0;
  PageVector<Pause> pauses_;        // each place of each operation once
  PageVector<Position> positions_;  // of interrupted operations; of each, the innermost last
  model::WaitLinks links_;
  Settings settings_;
  OperationId current_ = kNoOperation;
  std::uint64_t steps_ = 0;
  std::uint64_t now_ = 0;  // virtual time in ns since the execution began
  std::uint32_t live_ = 0;
  std::uint32_t patient_ = 0;   // operations whose deadlines are patient
  std::uint32_t unusual_ = 0;   // what `pick` must look at: an observer, a gate, each operation behind or spurious
  bool spares_ = false;         // choices that are not needed are not made
  bool keeps_choices_ = false;  // whatever the settings say
  bool current_paused_ = false;
  bool left_out_unfair_ = false;
  bool is_watched_ = false;        // watchers are told of steps
  bool waits_for_choice_ = false;  // … as soon as there is a choice: the steps before are the same in every execution
  bool expired_ = false;
  bool collects_ = false;       // footprints are wanted
  model::Footprint footprint_;  // of the running step
  Environment* environment_ = nullptr;
};

inline void Scheduler::stand(OperationId id, model::Event event) {
  if (id == current_) [[likely]]  // it is running, so it is enabled, unlinked and has no deadline
    candidates_[index(id)].next = event;
  else
    stand_slowly(id, event);
}

[[gnu::always_inline]] inline bool Scheduler::stand_before(OperationId id, model::Event event, std::uint64_t deadline) {
  model::Resource& at = resources_[index(event.resource)];
  if (id == current_ && deadline == kNever && at.admits(id, event.kind)) [[likely]] {
    candidates_[index(id)].next = event;
    if (at.crowd == 0 || !joins_crowd(id, at, event.kind, true)) [[likely]]
      link(id, at);
    return true;
  }
  return stand_before_slowly(id, event, deadline);
}

[[gnu::always_inline]] inline void Scheduler::changed(ResourceId id) {
  const model::Resource& resource = resources_[index(id)];
  if (resource.standing != kNoOperation || resource.crowd != 0) changed_slowly(id);
  if (collects_) [[unlikely]]
    touch_changed(id);
}

inline OperationId Scheduler::pick() {
  if (unusual_ != 0 || !enabled_.are_few()) [[unlikely]]
    return pick_slowly();
  const strategy::EnabledView few = enabled_.few();
  return take_step(few.size() > 1 ? decide(few) : few[0]);
}

inline void Scheduler::go_on() {
  if (unusual_ != 0) [[unlikely]]
    go_on_slowly();
  take_step(current_);
}

inline OperationId Scheduler::take_step(OperationId next) {
  if (is_watched_) [[unlikely]]
    tell_watchers(next);
  State& state = operations_[index(next)];
  state.last_step = ++steps_;
  unlink(next);
  current_ = next;
  if (state.admitted && !model::is_pause(candidates_[index(next)].next.kind)) [[likely]] {
    expired_ = false;
    current_paused_ = false;
  } else {
    take_unusual_step(state);
  }
  state.deadline = kNever;
  return next;
}

inline strategy::ScheduleView Scheduler::view_of(strategy::EnabledView choices) const {
  return {choices, current_, current_yields(), steps_, candidates_.data(), resources_.data(), observed_sum_};
}

inline OperationId Scheduler::decide(strategy::EnabledView choices) {
  const OperationId next = strategy_->choose_operation(view_of(choices));
  HEDDLE_CHECK(index(next) < operations_.size() && is_enabled(next),
               "a strategy chose an operation that is not enabled");
  schedule_.push_back(Choice::of_operation(next));
  return next;
}

// The current operation has paused, or it waits where it stands: the operation that goes next does not preempt it.
inline bool Scheduler::current_yields() const {
  return current_paused_ || current_ == kNoOperation || !operations_[index(current_)].admitted;
}

inline void Scheduler::link(OperationId id, model::Resource& resource) {
  State& state = operations_[index(id)];
  state.linked = kListed;
  state.standing_previous = kNoOperation;
  state.standing_next = resource.standing;
  if (resource.standing != kNoOperation) operations_[index(resource.standing)].standing_previous = id;
  resource.standing = id;
}

inline void Scheduler::unlink(OperationId id) {
  State& state = operations_[index(id)];
  if (state.linked == 0) return;
  if (state.linked != kListed) [[unlikely]]
    return leave_crowd(id);
  state.linked = 0;
  if (state.standing_next != kNoOperation)
    operations_[index(state.standing_next)].standing_previous = state.standing_previous;
  if (state.standing_previous != kNoOperation)
    operations_[index(state.standing_previous)].standing_next = state.standing_next;
  else
    resources_[index(candidates_[index(id)].next.resource)].standing = state.standing_next;
}

}  // namespace heddle::engine
