// Which bug a trace shows, so that its file has a name of its own and keeps it.
//
// Two traces show the same bug if they are of the same test of the same program and end in the same way: the same kind
// of verdict, at the same places, with the same words. (As engine::same_bug, but across runs and builds: places are
// lines of source files where these are known, and numbers in messages do not count.)
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace heddle::report {

/// Equal for the same bug. `test`: the name of the test, or empty.
std::string identity_of_bug(const Trace& trace, const std::string& test);

/// `bank.transfers.assertion.7f3a`: program, test if it has a name, kind of verdict, and a hash of the identity.
std::string name_of_bug(const Trace& trace, const std::string& test);

/// Are both traces of the same bug, in the same program?
bool same_bug(const Trace& a, const Trace& b);

}  // namespace heddle::report
