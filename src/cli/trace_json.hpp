// A trace as JSON, for other programs.
#pragma once

#include <string>

#include "trace/trace.hpp"

namespace heddle::cli {

/// Uses the names of operations and resources (T1, m2) and resolved places. Ends with a line break.
std::string to_json(const Trace& trace);

}  // namespace heddle::cli
