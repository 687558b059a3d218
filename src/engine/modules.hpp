// What the process has loaded.
#pragma once

#include <string>
#include <vector>

namespace heddle::engine {

/// Paths, the program first.
std::vector<std::string> paths_of_modules();

}  // namespace heddle::engine
