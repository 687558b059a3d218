// A trace as JSON, for programs that read it.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace heddle::cli {

/// Operations and resources by their names (T1, m2), places resolved. Ends with a line break.
std::string to_json(const Trace& trace);

}  // namespace heddle::cli
