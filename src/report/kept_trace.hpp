// What the command and the library do alike with a failure: keep its trace in a file, and print it with that file's
// name.
#pragma once

#include <cstddef>
#include <string>

#include "report/failure.hpp"
#include "trace/compare.hpp"
#include "trace/trace.hpp"

namespace heddle::report {

/// `bank.1.trace` in the folder, after the program of the header.
std::string trace_path(const TraceHeader& header, const std::string& folder, std::size_t number);

/// Returns the path; nothing if it could not be written, and then the standard error says why.
std::string keep_trace(const Trace& trace, const std::string& path);

/// For a report on the standard error, of a trace in that file; no path: it is in none.
FailureOptions to_standard_error(Occasion occasion, bool confirmed, std::string path);

/// What is said when a replay of the file did not do the same again.
std::string difference_text(const std::string& path, const Difference& difference);

}  // namespace heddle::report
