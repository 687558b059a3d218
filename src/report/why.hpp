// What the order of steps did, in a sentence: which operation was preempted where, and what others changed meanwhile.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace heddle::report {

/// One sentence for each of the last preemptions in which others touched what the preempted operation also touches: `T1
/// was preempted between unlock m1 at bank.cpp:13 and lock m2 at bank.cpp:15; meanwhile T2 touched m1 and m2`. Only the
/// best fits are kept: by how many of the steps around the gap are on what the others touched. The sentences say what
/// happened, not that it is the cause. Empty if no preemption mattered, or for failures that no order explains.
std::vector<std::string> explain(const Trace& trace);

}  // namespace heddle::report
