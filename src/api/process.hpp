// The process that explores itself.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace heddle {

/// The words it was started with.
std::vector<std::string> command_line();

/// Identifies the program, how it was started, and its build.
TraceHeader header_of_process();

}  // namespace heddle
