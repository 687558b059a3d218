// `heddle run`: the user's options.
#pragma once

#include <string>
#include <vector>

#include "options/values.hpp"

namespace CLI {
class App;
}

namespace heddle::cli {

struct RunOptions {
  std::vector<std::string> words;  // the program and its arguments
  std::string typed;               // the program, as the user typed it
  options::Values values;
};

/// Adds every option of the table to the command; the user's choices are stored in `values`, which must outlive it.
void describe_options(CLI::App& command, options::Values& values);

/// What is wrong with the options; empty if nothing is.
std::string objection(const RunOptions& options);

/// The same command with another seed and more time, ready to paste.
std::string go_on_line(const RunOptions& options);

}  // namespace heddle::cli
