// The program that the user names: where it is, and whether the runtime can be loaded into it.
#pragma once

#include <string>

namespace heddle::cli {

struct Target {
  std::string path;   // absolute
  std::string error;  // not empty: one sentence; nothing can be run
};

/// A word with a slash is a path; any other is looked up in PATH, as in a shell.
Target find_target(const std::string& word);

/// The AddressSanitizer library that the program needs, which must be loaded before anything else; empty if none.
std::string sanitizer_library(const std::string& path);

/// One of heddle's libraries, next to this program or in ../lib; empty if it is in neither.
std::string own_library(const std::string& name);

/// The path of libheddle_preload.so.
std::string runtime_library();

}  // namespace heddle::cli
