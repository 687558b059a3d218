#include "strategy/predicting/race_prediction.hpp"

#include "base/hash.hpp"
#include "model/dependence.hpp"

namespace heddle::strategy {

using model::EventKind;

void RacePrediction::begin() {
  names_.begin();
  resources_.begin();
  following_ = Following::no;
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
  for (OperationId id : view.enabled)
    if (names_(view, id) == ways_[at_]) return id;
  following_ = Following::lost;
  return kNoOperation;
}

void RacePrediction::step(const ScheduleView& view, OperationId who) {
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
  is_more_ = false;
  std::uint32_t looked_at = 0;
  for (std::uint32_t second = 0; second < trace_.size(); ++second) {
    std::uint32_t back = 0;
    for (std::uint32_t first = trace_[second].previous; first != kNone && back++ < kBackMax;
         first = trace_[first].previous) {
      if (!is_target(first, second)) continue;
      if (looked_at++ == kPairsMax || targets_.size() == kTargetsMax) {
        is_more_ = !targets_.empty();
        return;
      }
      if (trace_.can_meet(first, second)) add_target(first, second);
    }
  }
}

bool RacePrediction::is_target(std::uint32_t first, std::uint32_t second) {
  const SyncTrace::Event& one = trace_[first];
  const SyncTrace::Event& other = trace_[second];
  if (one.thread == other.thread || (one.kind == SyncKind::read && other.kind == SyncKind::read)) return false;
  if (!logged_[first].is_plain && !logged_[second].is_plain) return false;
  const std::uint64_t pair = std::uint64_t{logged_[first].site} << 32 | logged_[second].site;
  return known_.find(pair) == Interned::kUnknown && known_.size() < kKnownMax;
}

void RacePrediction::add_target(std::uint32_t first, std::uint32_t second) {
  known_(std::uint64_t{logged_[first].site} << 32 | logged_[second].site);
  Target target{.first = ways_.size()};
  for (std::uint32_t i = 0; i < second; ++i)
    if (trace_.is_before(i)) ways_.push_back(trace_[i].thread);
  ways_.push_back(trace_[second].thread);
  ways_.push_back(trace_[first].thread);
  target.end = ways_.size();
  targets_.push_back(target);
}

}  // namespace heddle::strategy
