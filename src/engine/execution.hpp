// One run of the program from start to end. Connects the scheduler, which decides, with the executor, which carries the
// decision out.
//
// The explorer calls `run` from home. Everything else is called by the running operation, through one of the fronts.
// The operation steps up to an event, may hand over there, and goes on when the event may take effect. Nothing here
// allocates from the program's heap, and nothing throws.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.hpp"
#include "engine/carrier.hpp"
#include "engine/control.hpp"
#include "engine/detectors/livelock.hpp"
#include "engine/executor.hpp"
#include "engine/recorder.hpp"
#include "engine/scheduler.hpp"
#include "engine/settings.hpp"
#include "model/event.hpp"
#include "model/resource.hpp"
#include "strategy/strategy.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

class Execution {
 public:
  explicit Execution(Executor& executor)
      : executor_(executor), carrier_(dynamic_cast<Carrier*>(&executor)), watch_(scheduler_, executor) {}

  /// Called from home, before the first execution.
  void note_home() { watch_.note_home(); }

  /// Called from home. The first operation runs `main`. With a recorder, every step is kept with its stack.
  const Verdict& run(const Settings& settings, Chooser chooser, Recorder* recorder, Entry main, Gate* gate = nullptr);
  /// Called from home, after the gate has let the running operation pause: continues from there to the end.
  const Verdict& resume();
  const Verdict& verdict() const { return verdict_; }
  Scheduler& scheduler() { return scheduler_; }
  const Scheduler& scheduler() const { return scheduler_; }
  Executor& executor() { return executor_; }

  // From here on: called by the running operation.
  OperationId self() const { return scheduler_.current(); }

  /// Steps up to an event that is always admitted; the event takes effect on return.
  void step(model::Event event);
  /// The same for an event whose place among the events of other operations nobody can tell. Strategies that sample
  /// are not asked there, so their other choices count for more.
  void step_alone(model::Event event);
  /// The same for giving back a lock that the operation took in its last step. Who wants the lock cannot go in between,
  /// unless it only asks whether the lock is free.
  void step_to_give_back(model::Event event);
  /// The same for an event that its resource must admit. False: the deadline came first.
  bool step_when_admitted(model::Event event, std::uint64_t deadline = kNever);
  /// Stands until a step of another operation moves it on. False: the deadline came first, or the wake-up was spurious.
  bool step_when_woken(model::Event event, std::uint64_t deadline = kNever, bool spurious = false);

  /// The same for an operation that serves the others meanwhile: if no operation is left to serve, the execution ends.
  /// `rests`: it needs nothing of what is on its stack. It may lose the stack, and then does not return but begins in
  /// its entry again.
  void serve(model::Event event, bool rests, std::uint64_t deadline = kNever);

  /// A new operation that stands at its start, and the resource that represents its end. kNoOperation: no thread is
  /// available.
  struct Created {
    OperationId operation = kNoOperation;
    ResourceId lifetime = kNoResource;
  };
  Created create(Entry entry, bool detached, const StackWish& stack = {});
  model::Resource& lifetime_of(OperationId id) { return scheduler_.resource(lifetimes_[index(id)]); }
  ResourceId lifetime_id(OperationId id) const { return lifetimes_[index(id)]; }
  /// The operation was joined or detached: its context is not needed any more once it has ended.
  void disown(OperationId id);
  /// The running operation has taken its last step.
  [[noreturn]] void end_operation();
  /// Ends the execution here, without a failure.
  [[noreturn]] void pass();
  /// Ends the execution here with this verdict.
  [[noreturn]] void fail(VerdictKind kind, std::string_view message, Mention mention = {}) {
    verdict_.mention = mention;
    fail_at(kind, message, nullptr);
  }
  /// The same from the frames of a signal handler that interrupted `instruction`.
  [[noreturn]] void fail_at(VerdictKind kind, std::string_view message, void* instruction);
  /// The same, where the running operation alone is not at fault.
  [[noreturn]] void end_with(VerdictKind kind, std::string_view text, CutReason cut = CutReason::none);
  /// An operation stands before something that it cannot have, without a deadline: checks whether it is stuck.
  void held_up(OperationId who);

  // For detectors (engine/detectors/table.hpp).
  /// If the execution is recorded: keeps the stack of the running operation.
  void keep_stack() {
    if (recorder_) capture_stack();
  }
  /// An operation that waits in a loop for a write; kNoOperation: none, or not known.
  OperationId some_spinner() const { return spinner_ != nullptr ? spinner_() : kNoOperation; }
  /// True if something outside may move the waiting operations on.
  bool awaits_environment() const {
    return scheduler_.environment() != nullptr && scheduler_.environment()->is_awaited();
  }

  /// Another operation, which has begun, first steps up to `event` and then calls `function`. The function returns to
  /// what it interrupted with `go_back`, or abandons that with `leave_interrupted` of the scheduler.
  void interrupt(OperationId id, model::Event event, void (*function)()) {
    scheduler_.interrupt(id, event);
    executor_.interrupt(id, function);
  }
  void go_back();
  /// May be called from any signal handler: the environment attends before the next step.
  void call_attention() { scheduler_.bound_steps(0); }
  /// From the next step on, `check` runs before every step: conditions that the program must keep. Null: no more
  /// checks.
  void check_at_every_step(void (*check)()) {
    check_ = check;
    if (check != nullptr) call_attention();
  }
  /// Valid until the end of the execution.
  void set_spinner(OperationId (*find)()) { spinner_ = find; }

  std::uint32_t choose(std::uint32_t bound, bool is_failure = false);
  [[gnu::always_inline]] void changed(ResourceId id) { scheduler_.changed(id); }
  bool is_recording() const { return recorder_ != nullptr; }
  std::uint64_t steps_max() const { return steps_allowed_; }
  /// The number of values chosen so far among two or more.
  std::uint64_t values() const { return values_; }
  /// The running operation has seen something that is not part of the program's state: a clock, a random number.
  void saw_outside() { watch_.saw_outside(); }
  Recorder* recorder() { return recorder_; }

 private:
  void hand_over();
  bool is_plain_first(model::Event event) const;
  void go_on_or_hand_over();
  [[gnu::cold]] void look_on();
  void capture_stack();
  OperationId pick_next();
  [[noreturn]] void finish();
  OperationId pick_from_environment();
  [[noreturn]] void stuck();
  void look_up();
  void attend();
  bool is_alone() const { return present_ == 1; }
  void begin_alone();
  void end_alone();
  void run_out_of_steps();
  void begin_watch();
  void end_watch();
  void watch();
  void tell_livelock();
  [[noreturn]] void cut_short(CutReason reason);
  CutReason reason_against_proof();
  const Verdict& conclude();

  Executor& executor_;
  Carrier* const carrier_;  // the executor, if it is a carrier: its switch is inlined into every scheduling point
  Scheduler scheduler_;
  Recorder* recorder_ = nullptr;
  OperationId (*spinner_)() = nullptr;
  void (*check_)() = nullptr;
  bool is_looked_on_ = false;         // by the recorder or by the watch
  PageVector<ResourceId> lifetimes_;  // indexed by operation
  LivelockWatch watch_;
  OldestFirst oldest_first_{scheduler_};
  std::optional<Chooser> before_watch_;  // what directed it until the watch began; empty: not watched
  bool was_watched_ = false;             // after its steps were used up: the strategy did not choose what followed
  // Steps that an operation takes while it is alone do not count, because a start-up may be long.
  std::uint64_t steps_allowed_ = 0;
  std::uint64_t steps_max_ = 0;      // the step at which the steps are used up
  std::uint64_t left_together_ = 0;  // while there is one operation: the steps left for when there are several
  std::uint32_t alone_looks_ = 0;    // how often the operation was watched in vain since it is alone
  std::uint32_t present_ = 0;        // operations that have not ended
  std::uint64_t values_ = 0;         // chosen so far
  std::uint32_t joinable_ = 0;       // operations that still have to be joined
  Verdict verdict_;
};

// The path of every scheduling point, inlined into the intercepted functions. Each call level between the switch and
// the program costs a return that the processor predicts from the other operation's calls, that is, wrongly.

// Whatever another operation does between the start of an operation and its first event, it could as well do before
// the start, which touches nothing. Not so if the program asked for a choice there, and so gave no resource, or if the
// event asks whether a lock is free: whoever holds that lock must see the question coming.
[[gnu::always_inline]] inline bool Execution::is_plain_first(model::Event event) const {
  return scheduler_.has_just_started() && event.resource != kNoResource &&
         !scheduler_.resource(event.resource).looked_at;
}

[[gnu::always_inline]] inline void Execution::step(model::Event event) {
  const bool is_first = is_plain_first(event);
  scheduler_.stand(self(), event);
  if (is_first) [[unlikely]]
    go_on_or_hand_over();
  else
    hand_over();
}

[[gnu::always_inline]] inline bool Execution::step_when_admitted(model::Event event, std::uint64_t deadline) {
  const bool is_first = is_plain_first(event);
  const bool is_admitted = scheduler_.stand_before(self(), event, deadline);
  if (!is_admitted) [[unlikely]]
    held_up(self());
  if (is_first && scheduler_.is_admitted(self())) [[unlikely]]
    go_on_or_hand_over();
  else
    hand_over();
  return !scheduler_.expired();
}

inline void Execution::step_alone(model::Event event) {
  scheduler_.stand(self(), event);
  go_on_or_hand_over();
}

[[gnu::always_inline]] inline void Execution::step_to_give_back(model::Event event) {
  const bool was_just_taken = scheduler_.next(self()).resource == event.resource;
  scheduler_.stand(self(), event);
  if (was_just_taken && !scheduler_.resource(event.resource).looked_at) [[likely]]
    go_on_or_hand_over();
  else
    hand_over();
}

[[gnu::always_inline]] inline void Execution::go_on_or_hand_over() {
  if (!scheduler_.spares_choices()) return hand_over();
  if (is_looked_on_) [[unlikely]]
    look_on();
  if (scheduler_.steps() >= scheduler_.settings().steps_max) [[unlikely]]
    look_up();
  scheduler_.go_on();
}

[[gnu::always_inline]] inline void Execution::hand_over() {
  const OperationId from = self();
  if (is_looked_on_) [[unlikely]]
    look_on();
  const OperationId to = pick_next();
  if (to == from) return;
  if (carrier_) [[likely]]
    carrier_->switch_to(from, to);
  else
    executor_.transfer(from, to);
}

[[gnu::always_inline]] inline OperationId Execution::pick_next() {
  if (scheduler_.steps() >= scheduler_.settings().steps_max) [[unlikely]]
    look_up();
  const OperationId next = scheduler_.pick();
  if (next == kNoOperation) [[unlikely]]
    return pick_from_environment();
  return next;
}

}  // namespace heddle::engine
