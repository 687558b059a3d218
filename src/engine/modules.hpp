// What the process has loaded.
#pragma once

#include <string>
#include <vector>

#include "trace/trace.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

/// Paths, the program first.
std::vector<std::string> paths_of_modules();

/// Of an execution that was cut, in the process that ran it or in one that it was forked from: where it took its last
/// steps. No source lines.
std::vector<Place> repeated_places(const Verdict& verdict);

}  // namespace heddle::engine
