// Replaying what `heddle run` found.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace heddle::cli {

bool is_of_run(const TraceHeader& header);

/// Runs the program once along the schedule of the trace and compares. `words`: its path and its arguments.
int replay_run(const Trace& expected, const std::string& file, const std::vector<std::string>& words);

}  // namespace heddle::cli
