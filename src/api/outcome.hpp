// Turns the findings of the explorer into what the caller gets: a result, a report, a trace file.
#pragma once

#include "api/exploration.hpp"
#include "engine/explorer.hpp"
#include "heddle/heddle.hpp"
#include "report/suppressions.hpp"

namespace heddle {

/// Writes the trace of a failure, if there is one.
Result result_of(engine::Findings findings, const Exploration& exploration, const report::Suppressions& suppressions);

/// For a process that was ended in the middle of an execution. `keeps_trace`: writes a file.
Result result_of_interrupted(engine::Failure failure, const Exploration& exploration, bool keeps_trace);

/// Runs the schedule of the trace that is to be replayed once, and compares. If the trace is of another exploration,
/// this one passes at once.
Result replay_file(engine::Explorer& explorer, const Exploration& exploration);

}  // namespace heddle
