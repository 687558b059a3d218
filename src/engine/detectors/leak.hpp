// Detects threads that ended and were neither joined nor detached.
//
// Runs at the end of an execution, and only if the execution created more joinable operations than it joined.
#pragma once

#include "base/ids.hpp"

namespace heddle::engine {

class Execution;

/// Reports the first such thread after the body, if any: `T1 ended and was neither joined nor detached`.
void find_leak(Execution& execution);

}  // namespace heddle::engine
