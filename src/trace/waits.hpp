// Who waits for what, held by whom, when the execution ended.
#pragma once

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "trace/trace.hpp"
#include "trace/words.hpp"

namespace heddle {

/// Could it not have gone on? Known for locks, joins and the inside of waits; of the other events (a semaphore, once)
/// only in a deadlock without a cycle, where nobody could.
bool is_waiting(const Trace& trace, OperationId id);

/// The operation that must go on first, if that is one: the holder of the lock, the operation that is joined.
OperationId waits_for(const Trace& trace, OperationId id);

/// The step in which it last took the resource, if the trace has it; null: none.
const TraceStep* taking_step(const Trace& trace, OperationId holder, ResourceId resource);

/// `waits for m2 (held by T2)`, `waits for the end of T2`, `is about to unlock m1`, `has not started`, `has ended`.
std::string standing(const Trace& trace, const Words& words, OperationId id);

/// The operations of the first cycle of waits, from its smallest id on; empty if there is none.
std::vector<OperationId> waiting_cycle(const Trace& trace);

/// Who is to blame for a deadlock: the cycle; without one, everybody who waits.
std::vector<OperationId> deadlocked(const Trace& trace);

/// `T1 waits for m2 (held by T2), T2 waits for m1 (held by T1)`: of `deadlocked`.
std::string deadlock_sentence(const Trace& trace);

}  // namespace heddle
