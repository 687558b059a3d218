// Detects operations that wait for each other, and executions in which no operation can go on. Explains why in a
// sentence that names the waiting operations, what they wait for and which operation holds it.
//
// A cycle is searched for whenever an operation comes to wait for something it cannot have. A cycle is therefore found
// as soon as it closes, even if other operations could go on. The search follows only waits without a deadline that a
// step of one known operation alone can end: for a lock that is held, for a once flag, for the end of an operation.
#pragma once

#include "engine/scheduler.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

class Execution;

struct Stuck {
  VerdictKind kind = VerdictKind::deadlock;
  char text[sizeof Verdict::message] = "";
};

/// The only operation whose step can end the wait of `id`. kNoOperation: `id` does not wait, or waits for more than one
/// operation, or until a time. Inline, because it is called for every operation that comes to wait.
inline OperationId blocker(const Scheduler& scheduler, OperationId id) {
  if (scheduler.has_ended(id) || scheduler.is_enabled(id) || scheduler.deadline(id) != kNever) return kNoOperation;
  const model::Event& next = scheduler.next(id);
  if (next.resource == kNoResource) return kNoOperation;
  return scheduler.resource(next.resource).in_the_way(next.kind);
}

/// True if `who` is in a cycle of waits; the execution then ends.
bool find_deadlock(Execution& execution, OperationId who);
/// No operation can go on: ends the execution with the explanation from explain_stuck.
void tell_standstill(Execution& execution);

/// The smallest member of the cycle of waits that `from` leads into; kNoOperation: no cycle.
OperationId find_cycle(const Scheduler& scheduler, OperationId from);

/// `T1 waits for m2 (held by T2), T2 waits for m1 (held by T1)`
Stuck explain_cycle(const Scheduler& scheduler, OperationId member);

/// No operation can go on. The verdict is a deadlock; a lost wake-up, if an operation waits for a condition whose last
/// signal came before any operation waited; or a leaked thread, if the body itself has ended. If something outside
/// could still have moved an operation on, it is none of these, and the execution is only cut.
Stuck explain_stuck(const Scheduler& scheduler, bool awaits_outside = false);

}  // namespace heddle::engine
