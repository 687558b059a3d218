// `heddle run`, and replaying what it found.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace heddle::cli {

// The option in the header of a trace by which a replay knows that it is of `heddle run`.
inline constexpr const char* kWay = "way";
inline constexpr const char* kWayOfRun = "run";

bool is_of_run(const TraceHeader& header);

/// Runs the program once along the schedule of the trace and compares. `words`: its path and its arguments.
int replay_run(const Trace& expected, const std::string& file, const std::vector<std::string>& words);

/// Prints that heddle itself is wrong; returns kFault.
int fault(const std::string& text);

}  // namespace heddle::cli
