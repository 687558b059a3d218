// The steps of an execution in the order in which they were taken, so that the reader sees how operations interleave.
//
// One column per operation if that fits, else one line per step. Of a long execution only the end is shown: the steps
// that led to the failure.
#pragma once

#include <string>

#include "report/source.hpp"
#include "report/terminal.hpp"
#include "trace/trace.hpp"

namespace heddle::report {

/// `T1 transfer`
std::string operation_title(const Trace& trace, OperationId id);

/// Ends with a line break; empty if there are no steps.
std::string interleaving(const Trace& trace, SourceText& source, const Paint& paint, std::size_t width);

}  // namespace heddle::report
