#include "engine/scheduler.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "model/dependence.hpp"

namespace heddle::engine {

using model::Event;
using model::Resource;

namespace {

constexpr std::uint32_t kMany = 8;  // operations at one resource: more of them are a crowd

}  // namespace

void Scheduler::begin(const Settings& settings, Chooser chooser, StepObserver* observer, Gate* gate) {
  settings_ = settings;
  spares_ = settings.choices == Choices::needed;
  keeps_choices_ = false;
  environment_ = nullptr;
  observer_ = observer;
  gate_ = gate;
  enabled_.clear();
  crowds_.clear();
  candidates_.clear();
  operations_.clear();
  resources_.clear();
  schedule_.clear();
  links_.clear();
  positions_.clear();
  pauses_.clear();
  observed_.clear();
  observed_sum_ = 0;
  patient_ = 0;
  current_ = kNoOperation;
  steps_ = 0;
  now_ = 0;
  live_ = 0;
  unusual_ = (observer != nullptr ? 1 : 0) + (gate != nullptr ? 1 : 0);
  waits_for_choice_ = false;
  collects_ = false;
  listen_to(chooser);
  current_paused_ = false;
  left_out_unfair_ = false;
  expired_ = false;
}

// Few objects are observed, so a linear search finds them. They are distinguished by which was observed first, not by
// their addresses.
void Scheduler::observe(const void* object, std::uint64_t hash) {
  std::size_t at = 0;
  while (at < observed_.size() && observed_[at].object != object) ++at;
  if (at == observed_.size()) observed_.push_back({object, 0});
  const std::uint64_t part = combine(hash, at);
  observed_sum_ += part - observed_[at].part;
  observed_[at].part = part;
}

void Scheduler::listen_to(Chooser chooser) {
  strategy_ = chooser.strategy;
  watcher_ = strategy_->watcher();
  other_watcher_ = chooser.watcher;
  if (has_watchers() && !waits_for_choice_) ++unusual_;
  if (!has_watchers() && waits_for_choice_) --unusual_;
  waits_for_choice_ = has_watchers();
  is_watched_ = false;
  const bool collects = (watcher_ != nullptr && watcher_->wants_footprints()) ||
                        (other_watcher_ != nullptr && other_watcher_->wants_footprints());
  unusual_ += static_cast<std::uint32_t>(collects) - static_cast<std::uint32_t>(collects_);
  collects_ = collects;
}

void Scheduler::tell_watchers(OperationId next) {
  const strategy::ScheduleView view = view_of(enabled_.view());
  if (other_watcher_ != nullptr) other_watcher_->on_step(view, next);
  if (watcher_ != nullptr) watcher_->on_step(view, next);
  if (collects_) begin_footprint(next);
}

// --- footprints ------------------------------------------------------------------------------------------------------

/// Adds what the event itself declares, before it takes effect.
void Scheduler::begin_footprint(OperationId who) {
  footprint_.begin(who);
  add_named(footprint_, candidates_[index(who)].next, resources_.data());
}

/// The step is complete: its operation stands before the next one, or has ended.
void Scheduler::end_footprint() {
  if (other_watcher_ != nullptr) other_watcher_->on_stepped(current_, footprint_);
  if (watcher_ != nullptr) watcher_->on_stepped(current_, footprint_);
}

/// A step touches the resource of its own event in any case.
void Scheduler::touch_changed(ResourceId id) {
  if (current_ == kNoOperation || candidates_[index(current_)].next.resource != id) touch(id, model::Does::writes);
}

// --- operations ------------------------------------------------------------------------------------------------------

OperationId Scheduler::add_operation(OperationId parent, Event first) {
  const OperationId id{operation_count()};
  strategy::Candidate& candidate = candidates_.append();
  candidate.next = first;
  candidate.parent = parent;
  State& state = operations_.append();
  state.last_step = steps_;
  state.enabled = true;
  state.admitted = true;
  enabled_.append(id);  // the greatest id
  ++live_;
  return id;
}

void Scheduler::end_operation(OperationId id) {
  set_enabled(id, false);
  State& state = operations_[index(id)];
  candidates_[index(id)].has_ended = true;
  if (state.behind != 0) --unusual_;
  state.behind = 0;
  if (!state.service) --live_;
}

ResourceId Scheduler::add_resource(model::ResourceKind kind, const void* address) {
  resources_.append(kind, address);
  return ResourceId{resource_count() - 1};
}

void Scheduler::set_patient(OperationId id, bool patient) {
  State& state = operations_[index(id)];
  patient_ += static_cast<std::uint32_t>(patient) - static_cast<std::uint32_t>(state.patient);
  state.patient = patient;
}

void Scheduler::interrupt(OperationId id, Event event) {
  note_moved(id);
  State& state = operations_[index(id)];
  const Position::How how = state.linked != 0 ? Position::How::before_resource
                            : state.admitted  ? Position::How::admitted
                                              : Position::How::blocked;
  positions_.push_back({id, candidates_[index(id)].next, state.deadline, how, state.spurious});
  state.interrupted = true;
  unlink(id);
  place(id, event, true, kNever, false);
}

std::size_t Scheduler::last_position(OperationId id) const {
  std::size_t at = positions_.size();
  while (positions_[at - 1].of != id) --at;
  return at - 1;
}

Scheduler::Position Scheduler::pop_position() {
  const std::size_t at = last_position(current_);
  const Position popped = positions_[at];
  positions_.erase(at);
  bool more = false;
  for (const Position& position : positions_) more = more || position.of == current_;
  operations_[index(current_)].interrupted = more;
  return popped;
}

void Scheduler::leave_interrupted() { candidates_[index(current_)].next = pop_position().event; }

bool Scheduler::is_interrupted_in_a_wait() const {
  for (const Position& position : positions_)
    if (position.of == current_ && position.how == Position::How::blocked &&
        model::row(position.event.kind).after_handler != model::AfterHandler::is_over)
      return true;
  return false;
}

void Scheduler::resume() {
  const Position back = pop_position();
  switch (back.how) {
    case Position::How::admitted:
      return stand(current_, back.event);
    case Position::How::before_resource:
      stand_before(current_, back.event, back.deadline);
      return;
    case Position::How::blocked:
      return stand_blocked(current_, back.event, back.deadline, back.spurious);
  }
}

// Another operation moves on an operation that stands in a wait. This concerns the interrupted wait, unless the
// operation stands in another wait by now. Null: the current position.
Scheduler::Position* Scheduler::position_moved_by_another(OperationId id) {
  const State& state = operations_[index(id)];
  if (!state.interrupted || id == current_ || (!state.admitted && state.linked == 0)) return nullptr;
  for (std::size_t at = positions_.size(); at > 0; --at)
    if (positions_[at - 1].of == id && positions_[at - 1].how == Position::How::blocked) return &positions_[at - 1];
  return nullptr;
}

void Scheduler::stand_slowly(OperationId id, Event event) {
  note_moved(id);
  if (Position* position = position_moved_by_another(id)) {
    *position = {id, event, kNever, Position::How::admitted, false};
    return;
  }
  unlink(id);
  place(id, event, true, kNever, false);
}

bool Scheduler::stand_before_slowly(OperationId id, Event event, std::uint64_t deadline) {
  note_moved(id);
  if (Position* position = position_moved_by_another(id)) {
    *position = {id, event, deadline, Position::How::before_resource, false};
    return true;
  }
  unlink(id);
  Resource& at = resources_[index(event.resource)];
  const bool admitted = at.admits(id, event.kind);
  place(id, event, admitted, deadline, false);
  if (at.crowd == 0 || deadline != kNever || !joins_crowd(id, at, event.kind, admitted)) link(id, at);
  return admitted || deadline != kNever;
}

void Scheduler::stand_blocked(OperationId id, Event event, std::uint64_t deadline, bool spurious) {
  note_moved(id);
  if (Position* position = position_moved_by_another(id)) {
    *position = {id, event, deadline, Position::How::blocked, spurious};
    return;
  }
  unlink(id);
  place(id, event, false, deadline, spurious);
}

void Scheduler::place(OperationId id, Event event, bool admitted, std::uint64_t deadline, bool spurious) {
  candidates_[index(id)].next = event;
  State& state = operations_[index(id)];
  state.deadline = deadline;
  set_spurious(state, spurious);
  set_enabled(id, admitted);
}

// An operation that is not admitted is still enabled while it may expire or wake spuriously. A deadline that has passed
// may expire under either policy.
bool Scheduler::flips(State& state, bool admitted) {
  state.admitted = admitted;
  const bool at_any_time = settings_.time == TimePolicy::choice && !state.patient;
  const bool may_expire = state.deadline != kNever && (at_any_time || state.deadline <= now_);
  const bool enabled = admitted || may_expire || state.spurious;
  const bool flipped = enabled != state.enabled;
  state.enabled = enabled;
  return flipped;
}

void Scheduler::set_enabled(OperationId id, bool admitted) {
  if (flips(operations_[index(id)], admitted)) enter_or_leave(id);
}

void Scheduler::enter_or_leave(OperationId id) {
  if (operations_[index(id)].enabled)
    enabled_.insert(id);
  else
    enabled_.erase(id);
}

void Scheduler::changed_slowly(ResourceId id) {
  const Resource& resource = resources_[index(id)];
  if (resource.crowd != 0) [[unlikely]]
    change_crowd(resource);
  else if (const OperationId only = resource.standing; operations_[index(only)].standing_next == kNoOperation)
    return set_enabled(only, resource.admits(only, candidates_[index(only)].next.kind));
  std::uint32_t count = 0;
  for (OperationId who = resource.standing; who != kNoOperation; who = operations_[index(who)].standing_next, ++count)
    set_enabled(who, resource.admits(who, candidates_[index(who)].next.kind));
  if (count > kMany && resource.crowd == 0) form_crowd(id);
}

// --- crowds ----------------------------------------------------------------------------------------------------------

/// False: what the resource admits of the crowd's events differs from what it admits of this one.
bool Scheduler::joins_crowd(OperationId id, const Resource& at, model::EventKind kind, bool admitted) {
  Crowd& crowd = crowds_[at.crowd];
  if (crowd.kind != kind || crowd.is_admitted != admitted) return false;
  State& state = operations_[index(id)];
  state.linked = at.crowd;
  state.enabled = false;
  crowd.members.insert(id);
  return true;
}

void Scheduler::leave_crowd(OperationId id) {
  State& state = operations_[index(id)];
  const std::uint16_t number = std::exchange(state.linked, std::uint16_t{0});
  Crowd& crowd = crowds_[number];
  state.admitted = state.enabled = crowd.is_admitted;
  crowd.members.erase(id);
  if (!crowd.members.empty()) return;
  Resource& at = resources_[index(crowd.of)];
  if (at.crowd == number) at.crowd = 0;  // else another object has taken the place of the one they waited for
  crowds_.give_back(number);
}

void Scheduler::change_crowd(const Resource& at) {
  Crowd& crowd = crowds_[at.crowd];
  const bool admitted = at.admits(kAnyMember, crowd.kind);
  if (admitted == crowd.is_admitted) return;
  crowd.is_admitted = admitted;
  if (admitted)
    enabled_.insert_all(crowd.members);
  else
    enabled_.erase_all(crowd.members);
  if (current_ == kNoOperation) return;
  State& current = operations_[index(current_)];
  if (current.linked == at.crowd) current.admitted = admitted;
}

bool Scheduler::is_like(OperationId id, model::EventKind kind, bool admitted) const {
  const State& state = operations_[index(id)];
  return candidates_[index(id)].next.kind == kind && state.deadline == kNever && !state.spurious &&
         state.admitted == admitted;
}

/// Makes a crowd of those in the list that stand before the event of the first, if they are many.
void Scheduler::form_crowd(ResourceId id) {
  Resource& at = resources_[index(id)];
  const model::EventKind kind = candidates_[index(at.standing)].next.kind;
  const bool admitted = at.admits(kAnyMember, kind);
  std::uint32_t alike = 0;
  for (OperationId who = at.standing; who != kNoOperation; who = operations_[index(who)].standing_next)
    alike += is_like(who, kind, admitted) ? 1 : 0;
  if (alike <= kMany) return;
  at.crowd = crowds_.make(id, kind, admitted);
  if (at.crowd == 0) return;
  for (OperationId who = at.standing; who != kNoOperation;) {
    const OperationId next = operations_[index(who)].standing_next;
    if (is_like(who, kind, admitted)) {
      unlink(who);
      joins_crowd(who, at, kind, admitted);
    }
    who = next;
  }
}

// --- time ------------------------------------------------------------------------------------------------------------

// No operation can go on, unless something arrived from outside. Under the patient policy, time now passes to the
// earliest deadline.
bool Scheduler::wake_sleepers() {
  if (environment_ != nullptr && environment_->look()) return true;
  if (settings_.time != TimePolicy::patient) return false;
  std::uint64_t earliest = kNever;
  for (std::uint32_t i = 0; i < operations_.size(); ++i)
    if (!has_ended(OperationId{i}) && !operations_[i].patient) earliest = std::min(earliest, operations_[i].deadline);
  if (earliest == kNever) return false;
  pass_time_to(earliest);
  return true;
}

// Every operation whose deadline has come may expire. Where time is a choice, it may already.
void Scheduler::pass_time_to(std::uint64_t time) {
  advance_to(time);
  if (settings_.time == TimePolicy::choice && patient_ == 0) return;
  for (std::uint32_t i = 0; i < operations_.size(); ++i) {
    State& state = operations_[i];
    if (has_ended(OperationId{i}) || state.enabled || state.deadline > now_) continue;
    state.enabled = true;
    enabled_.insert(OperationId{i});
  }
}

// A program must not rely on spurious wake-ups: if nothing else is left, no operation can go on.
bool Scheduler::only_spurious() const {
  for (std::size_t i = 0; i < enabled_.size(); ++i)
    if (is_admitted(enabled_[i]) || operations_[index(enabled_[i])].deadline != kNever) return false;
  return true;
}

OperationId Scheduler::pick_slowly() {
  if (collects_ && is_watched_) end_footprint();
  if (unusual_ == static_cast<std::uint32_t>(collects_) && !enabled_.empty()) [[likely]]  // nothing else is
    return take_step(enabled_.size() > 1 ? decide(enabled_.view()) : enabled_[0]);
  if ((enabled_.empty() || only_spurious()) && !wake_sleepers()) return kNoOperation;
  const strategy::EnabledView choices = fair_choices();
  const bool is_choice = choices.size() > 1;
  come_to(is_choice);
  const bool was_yielding = current_yields();
  const OperationId previous = current_;
  const OperationId next = is_choice ? decide(choices) : choices.front();
  if (observer_)
    observer_->on_step(next, candidates_[index(next)].next, is_choice, is_choice && next != previous && !was_yielding);
  State& state = operations_[index(next)];
  if (state.behind != 0) {
    state.behind = 0;
    --unusual_;
  }
  return take_step(next);
}

void Scheduler::go_on_slowly() {
  if (collects_ && is_watched_) end_footprint();
  come_to(false);
  if (observer_) observer_->on_step(current_, candidates_[index(current_)].next, false, false);
}

// Up to here executions are alike, whichever points and choices they have.
bool Scheduler::may_lead_to_choice() const {
  return enabled_.size() > 1 || candidates_[index(enabled_[0])].next.kind == model::EventKind::create;
}

// Called before every step and before every chosen value, while there is a gate or a watcher waits: the first choice
// may be of either kind.
void Scheduler::come_to(bool is_choice) {
  if (gate_ != nullptr && gate_->is_at(steps_ + 1, is_choice || may_lead_to_choice())) {
    listen_to(gate_->pass());
    gate_ = nullptr;
    --unusual_;
  }
  if (waits_for_choice_ && is_choice) {
    waits_for_choice_ = false;
    is_watched_ = true;
    --unusual_;
    if (collects_) footprint_.add_everything();  // of a step that is half done
  }
}

// The operation proceeds by its deadline or spuriously, or its step is a pause. The position of this step among the
// steps of all others decides which operations it will wait behind, so its order with each of them counts.
void Scheduler::take_unusual_step(State& state) {
  if (collects_) footprint_.add_pause();
  expired_ = !state.admitted;
  current_paused_ = true;
  if (has_paused_there(state)) {
    state.behind = state.last_pause;
    ++unusual_;
  }
  state.last_pause = static_cast<std::uint32_t>(steps_);
  set_spurious(state, false);
  if (!expired_) return;
  touch_clock(model::Does::writes);  // the time has come, whether or not this step moves it on
  state.admitted = true;
  if (state.deadline != kNever && state.deadline > now_) pass_time_to(state.deadline);
  if (environment_ != nullptr) environment_->time_passed();
}

/// Has the current operation paused at this place before? From now on it has.
bool Scheduler::has_paused_there(State& state) {
  const void* const place = candidates_[index(current_)].next.place;
  for (std::uint32_t at = state.paused_at; at != 0; at = pauses_[at - 1].next)
    if (pauses_[at - 1].place == place) return true;
  pauses_.push_back({place, state.paused_at});
  state.paused_at = static_cast<std::uint32_t>(pauses_.size());
  return false;
}

void Scheduler::set_spurious(State& state, bool spurious) {
  if (spurious == state.spurious) return;
  state.spurious = spurious;
  if (spurious)
    ++unusual_;
  else
    --unusual_;
}

std::uint32_t Scheduler::choose_value(std::uint32_t bound, bool is_failure) {
  if (bound < 2) return 0;
  if (unusual_ != 0) [[unlikely]]
    come_to(true);
  strategy::ScheduleView view = view_of(enabled_.view());
  view.is_failure = is_failure;
  const std::uint32_t value = strategy_->choose_value(view, bound);
  HEDDLE_CHECK(value < bound, "a strategy chose a value that is out of range");
  schedule_.push_back(Choice::of_value(value));
  if (other_watcher_ != nullptr) other_watcher_->on_value(view, value);
  if (watcher_ != nullptr) watcher_->on_value(view, value);
  if (observer_) [[unlikely]]
    observer_->on_value(current_, value, bound);
  return value;
}

strategy::EnabledView Scheduler::fair_choices() {
  std::uint64_t oldest = kNever;  // the last step of the operation that has waited longest
  const std::span<const OperationId> enabled = enabled_.view();
  for (OperationId id : enabled) oldest = std::min(oldest, operations_[index(id)].last_step);
  fair_.clear();
  for (OperationId id : enabled) {
    const std::uint64_t behind = operations_[index(id)].behind;
    if (behind == 0 || oldest > behind) fair_.push_back(id);
  }
  left_out_unfair_ |= fair_.size() < enabled.size();
  return fair_.span();
}

}  // namespace heddle::engine
