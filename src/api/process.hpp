// The process that explores itself.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace heddle {

/// Its words, as it was started.
std::vector<std::string> command_line();

/// Which program this is, how it was started, and which build of it.
TraceHeader header_of_process();

}  // namespace heddle
