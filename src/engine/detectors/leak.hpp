// Threads that ended and were neither joined nor detached.
//
// Looked for at the end of an execution, and only if it made more operations to be joined than were joined.
#pragma once

#include <span>

#include "engine/scheduler.hpp"

namespace heddle::engine {

/// The first operation after the body that was neither joined nor detached; kNoOperation: there is none. `lifetimes`
/// are indexed by operation.
OperationId find_leaked(const Scheduler& scheduler, std::span<const ResourceId> lifetimes);

/// `T1 ended and was neither joined nor detached`
struct Leak {
  char text[100];
};
Leak explain_leak(OperationId leaked);

}  // namespace heddle::engine
