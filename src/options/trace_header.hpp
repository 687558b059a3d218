// The options in a trace's header: what must be the same to replay it.
//
// All of them are written, defaults included: a default may change from one version of heddle to the next, and the
// trace must still replay. An option missing from a header has its default value.
#pragma once

#include <string>

#include "options/values.hpp"
#include "trace/trace.hpp"

namespace heddle::options {

/// Adds what the header does not contain yet. Existing entries are more accurate (the points of this one execution).
void write_header(const Values& values, TraceHeader& header);

/// What is wrong with an option of a header, as a sentence that begins with its name; empty: nothing is.
struct Wrong {
  std::string text = {};
  std::string option = {};
};

/// If something is wrong, the values are unusable.
Wrong read_header(const TraceHeader& header, Values& values);

}  // namespace heddle::options
