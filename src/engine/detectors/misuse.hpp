// Detects primitives used in a way that their standard forbids. A misuse is a verdict, unless the user allows that
// kind.
//
// The intercepted functions find most misuses as they happen (runtime/misuse.cpp). A lock that its holder takes again
// is found here, when the operation comes to wait.
#pragma once

#include <string_view>

#include "base/ids.hpp"
#include "model/misuse.hpp"

namespace heddle::engine {

class Execution;

/// The running operation misuses a primitive: the verdict is `T1` and the sentence. Returns if this misuse is allowed.
void tell_misuse(Execution& execution, model::Misuse what, std::string_view sentence);

/// Does `who` lock a normal mutex that it already holds? True: this is allowed, and `who` goes on and gets EDEADLK.
bool find_relock(Execution& execution, OperationId who);

}  // namespace heddle::engine
