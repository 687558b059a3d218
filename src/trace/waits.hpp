// What each operation waited for when the execution ended, and which operation held it.
#pragma once

#include <string>
#include <vector>

#include "base/ids.hpp"
#include "trace/trace.hpp"
#include "trace/words.hpp"

namespace heddle {

/// Was the operation unable to continue? This is known for locks, joins and the inside of waits. For other events (a
/// semaphore, once) it is known only in a deadlock without a cycle, where no operation could continue.
bool is_waiting(const Trace& trace, OperationId id);

/// The one operation that must continue first, if there is one: the holder of the lock, or the operation being joined.
OperationId waits_for(const Trace& trace, OperationId id);

/// The step in which `holder` last took the resource; null: the trace does not have it.
const TraceStep* taking_step(const Trace& trace, OperationId holder, ResourceId resource);

/// `waits for m2 (held by T2)`, `waits for the end of T2`, `is about to unlock m1`, `has not started`, `has ended`.
std::string standing(const Trace& trace, const Words& words, OperationId id);

/// The operations of the first cycle of waits, starting at its smallest id; empty if there is none.
std::vector<OperationId> waiting_cycle(const Trace& trace);

/// The operations that cause a deadlock: the cycle, or without a cycle every waiting operation.
std::vector<OperationId> deadlocked(const Trace& trace);

/// `T1 waits for m2 (held by T2), T2 waits for m1 (held by T1)`, for the operations in `deadlocked`.
std::string deadlock_sentence(const Trace& trace);

}  // namespace heddle
