// The program that the user names: where it is, and whether the runtime can be loaded into it.
#pragma once

#include <string>

namespace heddle::cli {

struct Target {
  std::string path;   // absolute
  std::string error;  // not empty: one sentence, and nothing can be run
};

/// A word with a slash is a path; any other is looked for in PATH, as a shell does.
Target find_target(const std::string& word);

/// AddressSanitizer, as the program asks for it: it must be loaded before anything else. Empty if it does not.
std::string sanitizer_library(const std::string& path);

/// A library of heddle's, beside this program or in ../lib; empty if it is nowhere.
std::string own_library(const std::string& name);

/// libheddle_preload.so.
std::string runtime_library();

}  // namespace heddle::cli
