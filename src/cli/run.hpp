// `heddle run`, and the replay of what it found.
#pragma once

#include <string>
#include <vector>

#include "cli/replay_words.hpp"
#include "trace/file.hpp"
#include "trace/trace.hpp"

namespace heddle::cli {

// The option in a trace's header by which a replay recognizes a trace of `heddle run`.
inline constexpr const char* kWay = "way";
inline constexpr const char* kWayOfRun = "run";

bool is_of_run(const TraceHeader& header);

/// Runs the program once along the schedule of the trace and compares.
int replay_run(const LoadedTrace& loaded, const std::string& file, const ReplayWords& replayed);

/// Prints that heddle itself is at fault; returns kFault.
int fault(const std::string& text);

}  // namespace heddle::cli
