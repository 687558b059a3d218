#include "engine/execution.hpp"

#include <cstdio>

#include "base/check.hpp"
#include "base/machine.hpp"
#include "engine/detectors/deadlock.hpp"
#include "engine/detectors/sentence.hpp"
#include "engine/detectors/table.hpp"

namespace heddle::engine {

using model::Event;
using model::EventKind;
using model::ResourceKind;

Control control;

namespace {

// An operation that is alone is watched for a short while each time it has used up its steps. After this many times it
// is watched for long, and the execution is then cut.
constexpr std::uint32_t kAloneLooks = 10;
constexpr std::uint64_t kLooksAlone = 256;

/// The program was refused something and may have failed for that reason; without heddle it might have had it.
[[noreturn]] void end_with_refusal() {
  char text[300];
  refusals.describe(text, sizeof text);
  end_refused(text);
}

}  // namespace

const Verdict& Execution::run(const Settings& settings, Chooser chooser, Recorder* recorder, Entry main, Gate* gate) {
  HEDDLE_CHECK(control.execution == nullptr, "an execution began inside another");
  executor_.begin();
  scheduler_.begin(settings, chooser, recorder, gate);
  recorder_ = recorder;
  spinner_ = nullptr;
  check_ = nullptr;
  lifetimes_.clear();
  joinable_ = 0;
  present_ = 0;
  steps_allowed_ = settings.steps_max;
  steps_max_ = settings.steps_max;
  before_watch_.reset();
  is_looked_on_ = recorder != nullptr;
  was_watched_ = false;
  values_ = 0;
  verdict_.kind = VerdictKind::passed;
  verdict_.cut = CutReason::none;
  verdict_.operation = kNoOperation;
  verdict_.mention = {};
  verdict_.message[0] = '\0';
  verdict_.repeated = {};
  refusals.forget();
  const Created first = create(main, false);
  if (first.operation == kNoOperation) end_with_refusal();
  joinable_ = 0;  // the body may be joined, but need not be
  control.execution = this;
  executor_.enter(scheduler_.pick());
  return conclude();
}

const Verdict& Execution::resume() {
  control.execution = this;
  executor_.enter(self());
  return conclude();
}

/// An end that came after the steps were used up was not found by the strategy.
const Verdict& Execution::conclude() {
  control.execution = nullptr;
  if (refusals.any() && verdict_.is_failure()) [[unlikely]]
    end_with_refusal();
  if (!was_watched_ || verdict_.kind != VerdictKind::passed) return verdict_;
  if (watch_.has_found()) {
    tell_livelock();
  } else {
    verdict_.kind = VerdictKind::cut;
    verdict_.cut = CutReason::steps;
  }
  return verdict_;
}

void Execution::tell_livelock() {
  char text[sizeof Verdict::message];
  Sentence sentence(text);
  sentence.add("no end after %llu steps: ", static_cast<unsigned long long>(steps_allowed_));
  watch_.explain(sentence);
  verdict_.kind = VerdictKind::livelock;
  verdict_.set_text(text);
}

bool Execution::step_when_woken(Event event, std::uint64_t deadline, bool spurious) {
  scheduler_.stand_blocked(self(), event, deadline, spurious);
  hand_over();
  return !scheduler_.expired();
}

void Execution::serve(Event event, bool rests, std::uint64_t deadline) {
  const OperationId from = self();
  scheduler_.set_service(from, true);
  if (scheduler_.live_count() == 0) finish();
  scheduler_.stand_blocked(from, event, deadline);
  if (!rests) return hand_over();
  if (is_looked_on_) [[unlikely]]
    look_on();
  executor_.rest(from, pick_next());
}

void Execution::go_back() {
  scheduler_.resume();
  hand_over();
}

void Execution::look_on() {
  const Uncontrolled heddle_at_work;
  if (recorder_) recorder_->capture_stack(self());
  if (before_watch_) watch_.capture(self());
}

void Execution::capture_stack() {
  const Uncontrolled heddle_at_work;
  recorder_->capture_stack(self());
}

Execution::Created Execution::create(Entry entry, bool detached, const StackWish& stack) {
  const OperationId id{scheduler_.operation_count()};
  if (!executor_.prepare(id, entry, stack)) return {};
  const ResourceId lifetime = scheduler_.add_resource(ResourceKind::operation, nullptr);
  scheduler_.resource(lifetime).lifetime = model::Lifetime(id, detached);
  scheduler_.add_operation(scheduler_.current(), {EventKind::start, lifetime, nullptr});
  lifetimes_.push_back(lifetime);
  if (is_alone()) end_alone();
  if (++present_ == 1) begin_alone();
  if (!detached) ++joinable_;
  return {id, lifetime};
}

void Execution::disown(OperationId id) {
  if (id != kMainOperation) --joinable_;
  if (lifetime_of(id).lifetime.has_ended()) executor_.release(id);
}

void Execution::end_operation() {
  const OperationId id = self();
  model::Lifetime& lifetime = lifetime_of(id).lifetime;
  lifetime.end();
  scheduler_.end_operation(id);
  scheduler_.changed(lifetimes_[index(id)]);
  if (--present_ == 1) begin_alone();
  if (scheduler_.live_count() == 0) finish();
  if (lifetime.is_gone()) executor_.release(id);
  executor_.leave(id, pick_next());
  __builtin_unreachable();  // GCC 12 forgets that a virtual function does not return
}

void Execution::finish() {
  if (joinable_ > 0) {  // otherwise there is nothing to detect
    for (const Detector& each : detectors())
      if (each.at_end != nullptr) each.at_end(*this);
  }
  executor_.go_home(self());
  __builtin_unreachable();
}

void Execution::pass() {
  executor_.go_home(self());
  __builtin_unreachable();
}

void Execution::fail_at(VerdictKind kind, std::string_view message, void* instruction) {
  const Uncontrolled heddle_at_work;
  if (recorder_ && !scheduler_.has_ended(self())) recorder_->capture_stack_at(self(), instruction);
  verdict_.kind = kind;
  verdict_.operation = self();
  verdict_.set_text(message);
  executor_.go_home(self());
  __builtin_unreachable();
}

void Execution::held_up(OperationId who) {
  const OperationId other = blocker(scheduler_, who);
  if (index(other) >= scheduler_.operation_count()) return;
  if (other != who && scheduler_.is_enabled(other)) [[likely]]
    return;
  for (const Detector& each : detectors())
    if (each.at_wait != nullptr && each.at_wait(*this, who)) return;
}

// No operation can go on. If something outside may change that, heddle waits, as the program would.
OperationId Execution::pick_from_environment() {
  for (;;) {
    Environment* const environment = scheduler_.environment();
    if (environment == nullptr || !environment->wait(scheduler_.settings().outside_wait_ms)) stuck();
    const OperationId next = scheduler_.pick();
    if (next != kNoOperation) return next;
  }
}

void Execution::stuck() {
  for (const Detector& each : detectors())
    if (each.at_standstill != nullptr) each.at_standstill(*this);
  HEDDLE_CHECK(false, "nobody can go on, and no detector says why");
  __builtin_unreachable();
}

void Execution::end_with(VerdictKind kind, std::string_view text, CutReason cut) {
  verdict_.operation = kNoOperation;
  verdict_.kind = kind;
  verdict_.cut = cut;
  verdict_.set_text(text);
  executor_.go_home(self());
  __builtin_unreachable();
}

// The steps are used up, or a signal handler called for attention, or the execution is watched.
void Execution::look_up() {
  if (before_watch_) {
    attend();
    watch();
  } else if (scheduler_.steps() < steps_max_) {
    scheduler_.bound_steps(steps_max_);
    attend();
  } else {
    run_out_of_steps();
  }
}

void Execution::attend() {
  if (scheduler_.environment() != nullptr) scheduler_.environment()->attend();
  if (check_ == nullptr) return;
  check_();
  scheduler_.bound_steps(0);
}

void Execution::begin_alone() {
  left_together_ = steps_max_ > scheduler_.steps() ? steps_max_ - scheduler_.steps() : 0;
  steps_max_ = scheduler_.steps() + steps_allowed_;
  alone_looks_ = 0;
}

void Execution::end_alone() {
  steps_max_ = scheduler_.steps() + left_together_;
  if (before_watch_) end_watch();
}

/// Why this execution cannot be proved to be endless; none: it may be provable.
CutReason Execution::reason_against_proof() {
  if (is_alone()) return CutReason::none;
  if (awaits_environment()) return CutReason::steps;
  // State machines may serve forever; their monitors state what they must achieve.
  if (!scheduler_.has_ended(kMainOperation) && scheduler_.next(kMainOperation).kind == EventKind::receive)
    return CutReason::machines;
  return scheduler_.strategy().is_fair() && knows_own_code() ? CutReason::none : CutReason::steps;
}

void Execution::run_out_of_steps() {
  const CutReason reason = reason_against_proof();
  if (reason != CutReason::none) cut_short(reason);
  begin_watch();
}

// From here on every step is examined, by means of a step bound that is always reached.
void Execution::begin_watch() {
  before_watch_ = scheduler_.chooser();
  scheduler_.take_over(oldest_first_);  // without a watcher: its notes would change memory
  scheduler_.bound_steps(0);
  is_looked_on_ = true;
  was_watched_ = !is_alone();
  const bool is_short = is_alone() && ++alone_looks_ < kAloneLooks;
  const Uncontrolled heddle_at_work;
  watch_.begin(is_short ? kLooksAlone : watch_.enough_looks());
}

// An operation that is alone goes on as it would have, however long it is watched.
void Execution::end_watch() {
  scheduler_.take_over(*before_watch_);
  before_watch_.reset();
  is_looked_on_ = recorder_ != nullptr;
}

void Execution::watch() {
  const Uncontrolled heddle_at_work;
  const LivelockWatch::Finding finding = watch_.look();
  scheduler_.bound_steps(0);
  if (finding == LivelockWatch::Finding::nothing_yet) return;
  if (finding == LivelockWatch::Finding::livelock) {
    tell_livelock();
    executor_.go_home(self());
  }
  if (!is_alone() || alone_looks_ == kAloneLooks) cut_short(watch_.draws() ? CutReason::values : CutReason::steps);
  end_watch();
  steps_max_ = scheduler_.steps() + steps_allowed_;
}

void Execution::cut_short(CutReason reason) {
  char text[160];
  std::snprintf(text, sizeof text, "no end after %llu steps%s", static_cast<unsigned long long>(steps_allowed_),
                scheduler_.has_ended(kMainOperation) ? "; the body has returned, but operations it started go on" : "");
  if (before_watch_) verdict_.repeated = watch_.most_repeated();
  if (verdict_.repeated[0] == nullptr && !scheduler_.has_ended(self()))  // not watched, or cut before a step was
    verdict_.repeated[0] = scheduler_.next(self()).place;
  end_with(VerdictKind::cut, text, reason);
}

std::uint32_t Execution::choose(std::uint32_t bound, bool is_failure) {
  if (recorder_) [[unlikely]]
    capture_stack();
  if (bound > 1 && before_watch_) [[unlikely]]
    watch_.drew_value();
  if (bound > 1 && ++values_ >= steps_allowed_) [[unlikely]]  // perhaps a loop that only chooses
    cut_short(CutReason::values);
  return scheduler_.choose_value(bound, is_failure);
}

}  // namespace heddle::engine
