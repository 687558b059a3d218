// What the command and the library both do with a failure: write its trace to a file, and print the failure with that
// file's name.
#pragma once

#include <cstddef>
#include <string>

#include "report/failure.hpp"
#include "trace/compare.hpp"
#include "trace/trace.hpp"

namespace heddle::report {

/// A trace file, and what to type to replay it. Both empty: there is none.
struct KeptTrace {
  std::string path;
  std::string replay;
};

/// Writes the trace into the folder as `bank.transfers.assertion.7f3a.trace`, named after the program, the test and the
/// bug (report/bug.hpp). An older trace of the same bug is replaced. If a trace of another bug has the name, this one
/// gets the next: `….7f3a-2.trace`. If it cannot be written, prints the reason to the standard error.
KeptTrace keep_trace(const Trace& trace, const std::string& folder, const std::string& test);

/// `heddle replay bank.trace`; if the file alone does not say enough to run its program, with the program after it.
std::string replay_command(const TraceHeader& header, const std::string& path, bool is_own);

/// For a report on the standard error.
FailureOptions to_standard_error(Occasion occasion, bool confirmed, KeptTrace kept);

/// The message if replaying the file gave a different execution.
std::string difference_text(const std::string& path, const Difference& difference);

}  // namespace heddle::report
