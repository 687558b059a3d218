#include "strategy/predicting/race_prediction.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "model/dependence.hpp"

namespace heddle::strategy {

using model::EventKind;

void RacePrediction::begin() {
  names_.begin();
  resources_.begin();
  following_ = Following::no;
  operation_of_.clear();
  named_ = 0;
  ++executions_;
  const bool is_power_of_two = (executions_ & (executions_ - 1)) == 0;
  is_logged_ = !has_target() && (is_more_ || is_power_of_two);
  if (!is_logged_) return;
  trace_.clear();
  logged_.clear();
  tries_.clear();
  met_ = 0;
}

OperationId RacePrediction::choose(const ScheduleView& view) {
  if (!has_target()) return kNoOperation;
  if (following_ == Following::no) {
    following_ = Following::yes;
    at_ = targets_[next_].first;
    ++targets_[next_].tries;
  }
  if (following_ != Following::yes) return kNoOperation;
  const OperationId id = operation_named(view, ways_[at_]);
  if (id == kNoOperation || !std::binary_search(view.enabled.begin(), view.enabled.end(), id)) {
    following_ = Following::lost;
    return kNoOperation;
  }
  return id;
}

OperationId RacePrediction::operation_named(const ScheduleView& view, std::uint32_t name) {
  for (; named_ <= index(view.enabled.back()); ++named_) {
    const std::uint32_t its_name = names_(view, OperationId{named_});
    if (operation_of_.size() <= its_name) operation_of_.resize(its_name + 1);
    operation_of_[its_name] = named_ + 1;
  }
  const std::uint32_t found = name < operation_of_.size() ? operation_of_[name] : 0;
  return found != 0 ? OperationId{found - 1} : kNoOperation;
}

/// An operation that goes on alone for long is made to yield now and then, so yields come elsewhere in the schedule
/// that is followed than in the log that it was computed from.
void RacePrediction::step(const ScheduleView& view, OperationId who) {
  if (view.next(who).kind == EventKind::yield) return;
  if (following_ == Following::yes) {
    if (names_(view, who) != ways_[at_])
      following_ = Following::lost;
    else if (++at_ == targets_[next_].end)
      following_ = Following::arrived;
  }
  if (is_logged_ && trace_.size() < kEventsMax) log(view, who);
}

void RacePrediction::end(std::uint32_t points) {
  if (following_ != Following::no) {
    const bool has_arrived = following_ == Following::arrived;
    confirmed_ += has_arrived;
    lost_ += !has_arrived;
    if (has_arrived || targets_[next_].tries == kTries) ++next_;
  }
  if (!is_logged_) return;
  points_ = points;
  search();
}

// --- the log ---------------------------------------------------------------------------------------------------------

void RacePrediction::log(const ScheduleView& view, OperationId who) {
  // A new operation is enabled before its first step, so it is seen before its creator goes on.
  meet(view, view.enabled.back());
  meet(view, who);
  end_try(view, who);
  const model::Event event = view.next(who);
  const std::uint32_t thread = names_(view, who);
  const SyncKind kind = kind_of(event);
  std::uint32_t object = resources_(view, event.resource);
  if (kind == SyncKind::join) object = names_(view, view.resource(event.resource).lifetime.of());
  if (kind == SyncKind::sync && model::is_of_descriptor(event.kind)) object = ResourceNames::kNone;
  const std::uint32_t number = trace_.add(thread, kind, object);
  if (event.kind == EventKind::try_lock || event.kind == EventKind::timed_lock)
    tries_[index(who)] = {number, event.resource};
  logged_.push_back({sites_(event), event.kind == EventKind::read || event.kind == EventKind::write});
}

void RacePrediction::meet(const ScheduleView& view, OperationId who) {
  for (; met_ <= index(who); ++met_) {
    const OperationId parent = view.parent(OperationId{met_});
    const std::uint32_t name = names_(view, OperationId{met_});
    if (index(parent) < met_) trace_.made(name, names_(view, parent));
  }
  if (tries_.size() < met_) tries_.resize(met_);
}

void RacePrediction::end_try(const ScheduleView& view, OperationId who) {
  Try& last = tries_[index(who)];
  if (last.event == kNone) return;
  if (view.resource(last.lock).mutex.owner() == who)
    trace_.got(last.event, resources_(view, last.lock));
  else
    trace_.failed(last.event);
  last.event = kNone;
}

/// An event of any other kind keeps its order with everything else at its resource; without a resource, with all such
/// events.
SyncKind RacePrediction::kind_of(const model::Event& event) const {
  if (model::row(event.kind).of_memory) {
    if (event.resource == kNoResource) return SyncKind::step;
    if (event.kind == EventKind::update) return SyncKind::update;
    return model::changes(event) ? SyncKind::write : SyncKind::read;
  }
  switch (event.kind) {
    case EventKind::create:
      return SyncKind::create;
    case EventKind::join:
      return event.resource != kNoResource ? SyncKind::join : SyncKind::sync;
    case EventKind::lock:
    case EventKind::relock:
      return SyncKind::acquire;
    case EventKind::unlock:
      return SyncKind::release;
    case EventKind::try_lock:
    case EventKind::timed_lock:
    case EventKind::step:
      return SyncKind::step;
    case EventKind::wait:
    case EventKind::wake:
      return SyncKind::wait;
    default:
      return model::touches_nothing(event.kind) ? SyncKind::step : SyncKind::sync;
  }
}

// --- the search ------------------------------------------------------------------------------------------------------

void RacePrediction::search() {
  for (const Try& unknown : tries_)
    if (unknown.event != kNone) trace_.failed(unknown.event);
  targets_.clear();
  ways_.clear();
  next_ = 0;
  work_before_ = trace_.work();
  compared_ = 0;
  met_to_ = 0;
  for (const std::uint32_t round : kRounds) {
    met_from_ = std::exchange(met_to_, round);
    if (!is_search_over()) search_round();
  }
  is_more_ = is_search_over() && !targets_.empty();
}

void RacePrediction::search_round() {
  ++round_;
  groups_.clear();
  groups_of_.clear();
  for (std::uint32_t second = 0; second < trace_.size() && !is_search_over(); ++second) {
    const SyncKind kind = trace_[second].kind;
    if (kind != SyncKind::read && kind != SyncKind::write && kind != SyncKind::update) continue;
    compare_with_earlier(second);
    add_to_group(second);
  }
}

bool RacePrediction::is_search_over() const {
  return targets_.size() == kTargetsMax || trace_.work() - work_before_ + compared_ >= kWorkMax;
}

void RacePrediction::compare_with_earlier(std::uint32_t second) {
  const std::uint32_t object = trace_[second].object;
  if (object >= groups_of_.size()) return;
  for (std::uint32_t group = groups_of_[object] - 1; group != kNone; group = groups_[group].next)
    compare_with_group(groups_[group].last, second);
}

/// The accesses of a group are alike, so the newest tells whether any of them is of interest.
void RacePrediction::compare_with_group(std::uint32_t newest, std::uint32_t second) {
  ++compared_;
  if (!conflict(newest, second)) return;
  Pair* const pair = pair_of(newest, second);
  if (pair == nullptr) return;
  std::uint32_t back = 0;
  for (std::uint32_t first = newest; first != kNone && back++ < kBackMax; first = logged_[first].before) {
    if (pair->is_target || pair->met == met_to_ || is_search_over()) return;
    if (trace_[first].thread == trace_[second].thread || trace_.is_before_creation(first, second)) continue;
    if (pair->met++ >= met_from_) examine(*pair, first, second);
  }
}

void RacePrediction::examine(Pair& pair, std::uint32_t first, std::uint32_t second) {
  pair.is_target = trace_.can_meet(first, second);
  if (pair.is_target) add_target(first, second);
}

void RacePrediction::add_to_group(std::uint32_t access) {
  const std::uint32_t object = trace_[access].object;
  if (groups_of_.size() <= object) groups_of_.resize(object + 1);
  std::uint32_t group = groups_of_[object] - 1;
  while (group != kNone && logged_[groups_[group].last].site != logged_[access].site) group = groups_[group].next;
  logged_[access].before = kNone;
  if (group == kNone) {
    groups_.push_back({access, groups_of_[object] - 1});
    groups_of_[object] = static_cast<std::uint32_t>(groups_.size());
    return;
  }
  logged_[access].before = std::exchange(groups_[group].last, access);
}

/// What is known about the two sites; null: there are too many pairs to know about them.
RacePrediction::Pair* RacePrediction::pair_of(std::uint32_t first, std::uint32_t second) {
  const std::uint64_t key = std::uint64_t{logged_[first].site} << 32 | logged_[second].site;
  const std::uint32_t name = pair_names_.size() < kKnownMax ? pair_names_(key) : pair_names_.find(key);
  if (name == Interned::kUnknown) return nullptr;
  if (name == pairs_.size()) pairs_.push_back({});
  Pair& pair = pairs_[name];
  if (std::exchange(pair.round, round_) != round_) pair.met = 0;
  return &pair;
}

bool RacePrediction::conflict(std::uint32_t first, std::uint32_t second) const {
  if (trace_[first].kind == SyncKind::read && trace_[second].kind == SyncKind::read) return false;
  return logged_[first].is_plain || logged_[second].is_plain;
}

void RacePrediction::add_target(std::uint32_t first, std::uint32_t second) {
  Target target{.first = ways_.size()};
  for (std::uint32_t i = 0; i < second; ++i)
    if (trace_.is_before(i)) ways_.push_back(trace_[i].thread);
  ways_.push_back(trace_[second].thread);
  ways_.push_back(trace_[first].thread);
  target.end = ways_.size();
  targets_.push_back(target);
}

}  // namespace heddle::strategy
