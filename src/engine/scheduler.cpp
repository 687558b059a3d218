#include "engine/scheduler.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::engine {

using model::Event;
using model::Resource;

void Scheduler::begin(const Settings& settings, strategy::Strategy& strategy, StepObserver* observer) {
  settings_ = settings;
  strategy_ = &strategy;
  observer_ = observer;
  enabled_.clear();
  candidates_.clear();
  operations_.clear();
  resources_.clear();
  schedule_.clear();
  links_.clear();
  current_ = kNoOperation;
  steps_ = 0;
  now_ = 0;
  live_ = 0;
  behind_count_ = 0;
  spurious_count_ = 0;
  current_paused_ = false;
  expired_ = false;
}

OperationId Scheduler::add_operation(OperationId parent, const Event& first) {
  const OperationId id{operation_count()};
  candidates_.push_back({first, parent});
  State state;
  state.last_step = steps_;
  state.enabled = true;
  state.admitted = true;
  operations_.push_back(state);
  enabled_.push_back(id);  // the greatest id: still ascending
  ++live_;
  return id;
}

void Scheduler::end_operation(OperationId id) {
  set_enabled(id, false);
  State& state = operations_[index(id)];
  state.ended = true;
  if (state.behind != 0) --behind_count_;
  state.behind = 0;
  --live_;
}

ResourceId Scheduler::add_resource(const Resource& resource) {
  resources_.push_back(resource);
  return ResourceId{resource_count() - 1};
}

void Scheduler::stand(OperationId id, const Event& event) {
  if (id == current_) [[likely]] {  // it runs, so it is enabled, unlinked and without a deadline
    candidates_[index(id)].next = event;
    return;
  }
  unlink(id);
  place(id, event, true, kNever, false);
}

void Scheduler::stand_before(OperationId id, const Event& event, std::uint64_t deadline) {
  unlink(id);
  Resource& at = resources_[index(event.resource)];
  link(id, at);
  place(id, event, at.admits(id, event.kind), deadline, false);
}

void Scheduler::stand_blocked(OperationId id, const Event& event, std::uint64_t deadline, bool spurious) {
  unlink(id);
  place(id, event, false, deadline, spurious);
}

void Scheduler::place(OperationId id, const Event& event, bool admitted, std::uint64_t deadline, bool spurious) {
  candidates_[index(id)].next = event;
  State& state = operations_[index(id)];
  state.deadline = deadline;
  if (spurious != state.spurious) [[unlikely]] {
    state.spurious = spurious;
    spurious_count_ += spurious ? 1 : -1u;
  }
  set_enabled(id, admitted);
}

void Scheduler::link(OperationId id, Resource& resource) {
  State& state = operations_[index(id)];
  state.linked = true;
  state.standing_previous = kNoOperation;
  state.standing_next = resource.standing;
  if (resource.standing != kNoOperation) operations_[index(resource.standing)].standing_previous = id;
  resource.standing = id;
}

void Scheduler::unlink(OperationId id) {
  State& state = operations_[index(id)];
  if (!state.linked) return;
  state.linked = false;
  if (state.standing_next != kNoOperation)
    operations_[index(state.standing_next)].standing_previous = state.standing_previous;
  if (state.standing_previous != kNoOperation)
    operations_[index(state.standing_previous)].standing_next = state.standing_next;
  else
    resources_[index(candidates_[index(id)].next.resource)].standing = state.standing_next;
}

std::uint32_t Scheduler::position(OperationId id) const {
  return static_cast<std::uint32_t>(std::lower_bound(enabled_.begin(), enabled_.end(), id) - enabled_.begin());
}

// An operation that is not admitted is enabled all the same while it may expire, or wake for no reason. A deadline that
// has passed may expire under either policy.
void Scheduler::set_enabled(OperationId id, bool admitted) {
  State& state = operations_[index(id)];
  state.admitted = admitted;
  const bool may_expire = state.deadline != kNever && (settings_.time == TimePolicy::choice || state.deadline <= now_);
  const bool enabled = admitted || may_expire || state.spurious;
  if (enabled == state.enabled) return;
  state.enabled = enabled;
  if (enabled)
    enabled_.insert(position(id), id);
  else
    enabled_.erase(position(id));
}

void Scheduler::changed(ResourceId id) {
  const Resource& resource = resources_[index(id)];
  for (OperationId who = resource.standing; who != kNoOperation; who = operations_[index(who)].standing_next)
    set_enabled(who, resource.admits(who, candidates_[index(who)].next.kind));
}

// Nobody can go on. Under the patient policy time now passes, to the earliest deadline.
bool Scheduler::wake_sleepers() {
  if (settings_.time != TimePolicy::patient) return false;
  std::uint64_t earliest = kNever;
  for (const State& state : operations_)
    if (!state.ended) earliest = std::min(earliest, state.deadline);
  if (earliest == kNever) return false;
  pass_time_to(earliest);
  return true;
}

// Everybody whose deadline has come may expire. Where time is a choice they may already.
void Scheduler::pass_time_to(std::uint64_t time) {
  advance_to(time);
  if (settings_.time == TimePolicy::choice) return;
  for (std::uint32_t i = 0; i < operations_.size(); ++i) {
    State& state = operations_[i];
    if (state.ended || state.enabled || state.deadline > now_) continue;
    state.enabled = true;
    enabled_.insert(position(OperationId{i}), OperationId{i});
  }
}

// A program must not count on being woken for no reason: if that is all that is left, nobody can go on.
bool Scheduler::only_spurious() const {
  for (OperationId id : enabled_) {
    const State& state = operations_[index(id)];
    if (state.admitted || state.deadline != kNever) return false;
  }
  return true;
}

OperationId Scheduler::pick() {
  if (enabled_.empty() || (spurious_count_ > 0 && only_spurious())) [[unlikely]] {
    if (!wake_sleepers()) return kNoOperation;
  }
  const std::span<const OperationId> choices = behind_count_ == 0 ? enabled_.span() : fair_choices();
  const bool is_choice = choices.size() > 1;
  const OperationId next = is_choice ? decide(choices) : choices.front();
  if (observer_) [[unlikely]]
    observer_->on_step(next, candidates_[index(next)].next, is_choice,
                       is_choice && next != current_ && !current_yields());

  ++steps_;
  State& state = operations_[index(next)];
  state.last_step = steps_;
  if (state.behind != 0) [[unlikely]] {
    state.behind = 0;
    --behind_count_;
  }
  expired_ = !state.admitted;
  current_paused_ = expired_ || model::is_pause(candidates_[index(next)].next.kind);
  if (current_paused_) [[unlikely]]
    note_pause(state);
  unlink(next);
  if (expired_) [[unlikely]] {
    if (state.deadline != kNever && state.deadline > now_) pass_time_to(state.deadline);
    state.admitted = true;
  }
  if (state.spurious) [[unlikely]] {
    state.spurious = false;
    --spurious_count_;
  }
  state.deadline = kNever;
  current_ = next;
  return next;
}

// It has paused, or it waits where it stands: whoever goes next does not preempt it.
bool Scheduler::current_yields() const {
  return current_paused_ || current_ == kNoOperation || !operations_[index(current_)].admitted;
}

OperationId Scheduler::decide(std::span<const OperationId> choices) {
  const strategy::ScheduleView view{choices, current_, current_yields(), steps_, candidates_.data()};
  const OperationId next = strategy_->choose_operation(view);
  HEDDLE_CHECK(index(next) < operations_.size() && operations_[index(next)].enabled,
               "a strategy chose an operation that is not enabled");
  schedule_.push_back(Choice::of_operation(next));
  return next;
}

std::uint32_t Scheduler::choose_value(std::uint32_t bound) {
  if (bound < 2) return 0;
  const strategy::ScheduleView view{enabled_.span(), current_, current_yields(), steps_, candidates_.data()};
  const std::uint32_t value = strategy_->choose_value(view, bound);
  HEDDLE_CHECK(value < bound, "a strategy chose a value that is out of range");
  schedule_.push_back(Choice::of_value(value));
  if (observer_) [[unlikely]]
    observer_->on_value(current_, value, bound);
  return value;
}

std::span<const OperationId> Scheduler::fair_choices() {
  std::uint64_t oldest = kNever;  // the last step of whoever has waited longest
  for (OperationId id : enabled_) oldest = std::min(oldest, operations_[index(id)].last_step);
  fair_.clear();
  for (OperationId id : enabled_) {
    const std::uint64_t behind = operations_[index(id)].behind;
    if (behind == 0 || oldest > behind) fair_.push_back(id);
  }
  return fair_.span();
}

void Scheduler::note_pause(State& state) {
  if (state.last_pause != 0) {
    state.behind = state.last_pause;
    ++behind_count_;
  }
  state.last_pause = steps_;
}

}  // namespace heddle::engine
