// From what the explorer found to what the caller gets: a result, a report, a trace file.
#pragma once

#include <string>

#include "engine/explorer.hpp"
#include "heddle/heddle.hpp"
#include "report/progress.hpp"
#include "report/suppressions.hpp"
#include "trace/trace.hpp"

namespace heddle {

/// Which program this is, how it was started, and which build of it.
TraceHeader header_of_process();

report::ProgressNumbers numbers_of(const engine::Progress& progress, const Options& options);

/// Writes the trace of a failure, if there is one.
Result result_of(engine::Findings findings, const Options& options, const report::Suppressions& suppressions);

/// Something ended the process in the middle of an execution.
Result result_of_interrupted(engine::Failure failure, const Options& options);

/// Runs the schedule of a trace file once, and compares. An exploration that the trace is not of passes at once.
Result replay_file(engine::Explorer& explorer, const std::string& path, const Options& options);

/// What a trace file says about how it must be run again, in the place of what was given. Throws WrongUse.
Options options_to_replay(const std::string& path, const Options& given);

}  // namespace heddle
