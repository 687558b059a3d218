// The program that the user names: where it is, and whether the runtime can be loaded into it.
#pragma once

#include <string>

namespace heddle::cli {

struct Target {
  std::string path;   // absolute
  std::string error;  // not empty: one sentence, and nothing can be run
};

/// A word with a slash is a path; any other is looked for in PATH, and then here.
Target find_target(const std::string& word);

/// libheddle_preload.so, beside this program or in ../lib; empty if it is nowhere.
std::string runtime_library();

}  // namespace heddle::cli
