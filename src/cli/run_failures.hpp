// `heddle run`: a failure that was found becomes a trace file and a report.
#pragma once

#include <cstddef>
#include <string>

#include "cli/launch.hpp"
#include "cli/run_options.hpp"

namespace heddle::cli {

/// Prints it, and returns where its trace is; nothing if there is nothing to replay.
std::string report_failure(FoundFailure& found, const RunOptions& options, std::size_t number);

/// Of --same-output: prints the execution that the failing one is compared with.
void report_first(FoundFailure& first, const RunOptions& options, std::size_t number);

/// What the program wrote in that execution, for a person.
std::string written(const FoundFailure& found);

/// Of --same-output: a replay has only one output, and is compared with what the same schedule wrote before. Its
/// mark stands in the header of the trace.
inline constexpr const char* kOutputMark = "output_mark";
std::string mark_of(const std::string& output);

}  // namespace heddle::cli
