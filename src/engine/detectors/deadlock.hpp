// Operations that wait for each other, or nobody who can go on: says why, in a sentence that names who waits for what,
// and who holds it.
//
// A cycle is looked for whenever an operation comes to stand before what it cannot have, so it is found as soon as it
// closes, whoever else could go on. It is followed only over waits that nothing but the step of one known operation can
// end: without a deadline, for a lock that somebody holds, for a once flag, for the end of an operation.
#pragma once

#include "engine/scheduler.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

struct Stuck {
  VerdictKind kind = VerdictKind::deadlock;
  char text[sizeof Verdict::message] = "";
};

/// Whose step alone can end the wait of `id`; kNoOperation: it does not wait, or for more than one, or until a time.
/// Inline, because every operation that comes to wait asks it.
inline OperationId blocker(const Scheduler& scheduler, OperationId id) {
  if (scheduler.has_ended(id) || scheduler.is_enabled(id) || scheduler.deadline(id) != kNever) return kNoOperation;
  const model::Event& next = scheduler.next(id);
  if (next.resource == kNoResource) return kNoOperation;
  const model::Resource& resource = scheduler.resource(next.resource);
  switch (next.kind) {
    case model::EventKind::lock:
    case model::EventKind::relock:
      return resource.mutex.owner();
    case model::EventKind::read_lock:
      return resource.read_write_lock.writer();
    case model::EventKind::write_lock:
      return resource.read_write_lock.holder();
    case model::EventKind::once:
      return resource.once.runner();
    case model::EventKind::join:
      return resource.lifetime.of();
    default:
      return kNoOperation;
  }
}

/// The smallest member of the cycle of waits into which `from` leads; kNoOperation: there is none.
OperationId find_cycle(const Scheduler& scheduler, OperationId from);

/// `T1 waits for m2 (held by T2), T2 waits for m1 (held by T1)`
Stuck explain_cycle(const Scheduler& scheduler, OperationId member);

/// Nobody can go on. A deadlock; a lost wake-up, if somebody waits for a condition whose last signal came before
/// anybody waited; a leaked thread, if the body itself has ended. Where the outside could still have moved somebody on
/// it is none of them, and the execution is only cut.
Stuck explain_stuck(const Scheduler& scheduler, bool awaits_outside = false);

}  // namespace heddle::engine
