// The options, each in one row: its names, what it says in --help, and how its value is read and written.
//
// The command line of `heddle run`, the environment of a test that calls heddle::explore, the header of a trace, the
// replay of one, and the line that a summary ends with are all made by walking this table. To add an option: a field of
// Values (or of engine::Settings, if an execution needs it), a row here, its line in docs/run.md, and the code that
// uses it. If a body is to have it too, a field of heddle::Options and its line in api/exploration.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "options/values.hpp"

namespace heddle::options {

/// Where the value of an option is, and how it is written.
struct Field {
  /// Returns what is wrong with the text, as in options/types.hpp.
  std::string (*set)(Values& values, std::string_view text);
  std::string (*text)(const Values& values);
};

struct Option {
  std::string_view name;           // on the command line, as in `max-steps`; empty: it is not there
  std::string_view letter = {};    // of its short form; empty: it has none
  std::string_view argument = {};  // what follows it there, as in SECONDS; empty: it is a flag …
  std::string_view flag = {};      // … which stands for this text
  std::string_view help = {};
  std::string_view variable = {};  // in the environment; empty: none
  std::string_view header = {};    // in the header of a trace, which a replay obeys; empty: it is not there
  bool goes_on = false;            // belongs to the command that looks further
  Field field = {};
};

/// All of them, in the order of --help.
std::span<const Option> table();

/// Has it the value that it has if nothing is said?
bool is_usual(const Option& option, const Values& values);

}  // namespace heddle::options
