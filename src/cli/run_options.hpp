// `heddle run`: what the user asked for.
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
  std::string typed;               // the program, as the user calls it
  options::Values values;
};

/// Adds every option of the table to the command; what the user says ends in `values`, which must outlive it.
void describe_options(CLI::App& command, options::Values& values);

/// What is wrong with the options; empty if nothing is.
std::string objection(const RunOptions& options);

/// The same again with another seed, for longer: a line to paste.
std::string go_on_line(const RunOptions& options);

}  // namespace heddle::cli
