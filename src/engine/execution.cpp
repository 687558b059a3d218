#include "engine/execution.hpp"

#include <cstdio>

#include "base/check.hpp"
#include "engine/detectors/deadlock.hpp"
#include "engine/detectors/leak.hpp"
#include "engine/detectors/sentence.hpp"

namespace heddle::engine {

using model::Event;
using model::EventKind;
using model::ResourceKind;

Control control;

const Verdict& Execution::run(const Settings& settings, Chooser chooser, Recorder* recorder, Entry main, Gate* gate) {
  HEDDLE_CHECK(control.execution == nullptr, "an execution began inside another");
  executor_.begin();
  scheduler_.begin(settings, chooser, recorder, gate);
  recorder_ = recorder;
  loops_ = {};
  check_ = nullptr;
  lifetimes_.clear();
  joinable_ = 0;
  steps_max_ = settings.steps_max;
  values_ = 0;
  verdict_.kind = VerdictKind::passed;
  verdict_.operation = kNoOperation;
  verdict_.message[0] = '\0';
  const Created first = create(main, false);
  HEDDLE_CHECK(first.operation == kMainOperation, "no thread to be had for the body");
  joinable_ = 0;  // the body may be joined, but nobody has to
  control.execution = this;
  executor_.enter(scheduler_.pick());
  control.execution = nullptr;
  return verdict_;
}

const Verdict& Execution::resume() {
  control.execution = this;
  executor_.enter(self());
  control.execution = nullptr;
  return verdict_;
}

bool Execution::step_when_woken(Event event, std::uint64_t deadline, bool spurious) {
  scheduler_.stand_blocked(self(), event, deadline, spurious);
  hand_over();
  return !scheduler_.expired();
}

void Execution::serve(Event event) {
  scheduler_.set_service(self(), true);
  if (scheduler_.live_count() == 0) finish();
  step_when_woken(event);
}

void Execution::go_back() {
  scheduler_.resume();
  hand_over();
}

void Execution::capture_stack() {
  const Uncontrolled heddle_at_work;
  recorder_->capture_stack(self());
}

Execution::Created Execution::create(Entry entry, bool detached) {
  const OperationId id{scheduler_.operation_count()};
  if (!executor_.prepare(id, entry)) return {};
  const ResourceId lifetime = scheduler_.add_resource(ResourceKind::operation, nullptr);
  scheduler_.resource(lifetime).lifetime = model::Lifetime(id, detached);
  scheduler_.add_operation(scheduler_.current(), {EventKind::start, lifetime, nullptr});
  lifetimes_.push_back(lifetime);
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
  if (scheduler_.live_count() == 0) finish();
  if (lifetime.is_gone()) executor_.release(id);
  executor_.leave(id, pick_next());
  __builtin_unreachable();  // GCC 12 forgets that a virtual function does not return
}

void Execution::finish() {
  if (joinable_ > 0) {
    const OperationId leaked = find_leaked(scheduler_, lifetimes_.span());
    if (leaked != kNoOperation) fail(VerdictKind::leaked_thread, explain_leak(leaked).text);
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

void Execution::misuse(model::Misuse what, std::string_view sentence) {
  if (scheduler_.settings().allow.has(what)) return;
  char text[sizeof Verdict::message];
  Sentence verdict(text);
  verdict.add("T%u %.*s [%s]", index(self()), static_cast<int>(sentence.size()), sentence.data(), name(what).data());
  fail(VerdictKind::misuse, text);
}

void Execution::held_up(OperationId who) {
  const OperationId other = blocker(scheduler_, who);
  if (index(other) >= scheduler_.operation_count()) return;
  if (other != who && scheduler_.is_enabled(other)) [[likely]]
    return;
  look_for_cycle(who);
}

void Execution::look_for_cycle(OperationId who) {
  const Event next = scheduler_.next(who);
  if (next.kind == EventKind::lock && scheduler_.resource(next.resource).mutex.is_relock(who)) {
    char text[100];
    Sentence(text).add("locks %s, which it holds already", described(scheduler_, next.resource).text);
    misuse(model::Misuse::relock, text);
    scheduler_.stand_slowly(who, next);  // to be told EDEADLK
    return;
  }
  const OperationId member = find_cycle(scheduler_, who);
  if (member == kNoOperation) return;
  if (recorder_ && who == self()) capture_stack();
  end_with(VerdictKind::deadlock, explain_cycle(scheduler_, member).text);
}

// Nobody can go on. If that may change from outside, heddle waits, as the program would.
OperationId Execution::pick_from_environment() {
  for (;;) {
    if (loops_.go_round()) return scheduler_.pick();
    Environment* const environment = scheduler_.environment();
    if (environment == nullptr || !environment->wait(scheduler_.settings().outside_wait_ms)) stuck();
    const OperationId next = scheduler_.pick();
    if (next != kNoOperation) return next;
  }
}

void Execution::stuck() {
  const OperationId spinner = loops_.any();
  if (spinner != kNoOperation) {
    char text[160];
    Sentence(text).add("T%u waits in a loop for a write that nobody is left to make", index(spinner));
    if (recorder_) capture_stack();
    end_with(VerdictKind::livelock, text);
  }
  const Stuck why = explain_stuck(scheduler_, awaits_environment());
  end_with(why.kind, why.text);
}

void Execution::end_with(VerdictKind kind, std::string_view text) {
  verdict_.operation = kNoOperation;
  verdict_.kind = kind;
  verdict_.set_text(text);
  executor_.go_home(self());
  __builtin_unreachable();
}

// Out of steps, or somebody called for attention.
void Execution::look_up() {
  if (scheduler_.steps() < steps_max_) {
    scheduler_.bound_steps(steps_max_);
    if (scheduler_.environment() != nullptr) scheduler_.environment()->attend();
    if (check_ != nullptr) {
      check_();
      scheduler_.bound_steps(0);
    }
    return;
  }
  run_out_of_steps();
}

void Execution::run_out_of_steps() {
  char text[160];
  std::snprintf(text, sizeof text, "no end after %llu steps%s", static_cast<unsigned long long>(scheduler_.steps()),
                scheduler_.has_ended(kMainOperation) ? "; the body has returned, but operations it started go on" : "");
  // State machines may serve for ever: what they owe, their monitors say.
  const bool awaits_machines =
      !scheduler_.has_ended(kMainOperation) && scheduler_.next(kMainOperation).kind == EventKind::receive;
  const bool must_end = scheduler_.strategy().is_fair() && !awaits_environment() && !awaits_machines;
  verdict_.kind = must_end ? VerdictKind::livelock : VerdictKind::cut;
  verdict_.set_text(text);
  executor_.go_home(self());
  __builtin_unreachable();
}

std::uint32_t Execution::choose(std::uint32_t bound, bool is_failure) {
  if (recorder_) [[unlikely]]
    capture_stack();
  if (bound > 1 && scheduler_.steps() + ++values_ >= steps_max_) [[unlikely]]  // a loop that does nothing but choose
    run_out_of_steps();
  return scheduler_.choose_value(bound, is_failure);
}

}  // namespace heddle::engine
