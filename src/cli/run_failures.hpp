// `heddle run`: turns a failure into a trace file and a report.
#pragma once

#include <string>

#include "cli/launch.hpp"
#include "cli/run_options.hpp"

namespace heddle::cli {

/// Prints the failure and returns the path of its trace; empty if there is nothing to replay.
std::string report_failure(FoundFailure& found, const RunOptions& options);

/// For --same-output: prints the execution that the failing one is compared with.
void report_first(FoundFailure& first, const RunOptions& options);

/// The output of the program in that execution, for display.
std::string written(const FoundFailure& found);

/// For --same-output: a replay has only one output, which is compared with what the same schedule wrote before. The
/// header of the trace holds a mark of that output.
inline constexpr const char* kOutputMark = "output_mark";
std::string mark_of(const std::string& output);

}  // namespace heddle::cli
