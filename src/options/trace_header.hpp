// What the header of a trace says about the options: what must be the same to replay it.
//
// All of it is written, whether it is as usual or not: what is usual may change from one version of heddle to the next,
// and the trace must still replay. What a header does not say is as usual.
#pragma once

#include <string>

#include "options/values.hpp"
#include "trace/trace.hpp"

namespace heddle::options {

/// Adds what the header does not say yet: what it says already is known better (the points of this one execution).
void write_header(const Values& values, TraceHeader& header);

/// Returns what is wrong with the header, and then the values are of no use; empty: nothing is.
std::string read_header(const TraceHeader& header, Values& values);

}  // namespace heddle::options
