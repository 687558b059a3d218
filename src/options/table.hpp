// The options, one per row: its names, its text in --help, and how its value is read and written.
//
// The command line of `heddle run`, the environment of a test that calls heddle::explore, the header of a trace, its
// replay, and the last line of a summary are all derived from this table. To add an option: add a field to Values (or
// to engine::Settings, if an execution needs it), a row here, its line in docs/run.md, and the code that uses it. If
// bodies need it too, also add a field to heddle::Options and its line in api/exploration.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "options/values.hpp"

namespace heddle::options {

/// Where the value of an option is stored, and how it is written.
struct Field {
  /// Returns what is wrong with the text, as in options/types.hpp.
  std::string (*set)(Values& values, std::string_view text);
  std::string (*text)(const Values& values);
};

struct Option {
  std::string_view name;           // on the command line, as in `max-steps`; empty: not there
  std::string_view letter = {};    // its short form; empty: none
  std::string_view argument = {};  // what follows it there, as in SECONDS; empty: it is a flag …
  std::string_view flag = {};      // … which stands for this text
  std::string_view help = {};
  std::string_view variable = {};  // in the environment; empty: none
  std::string_view header = {};    // in the header of a trace, which a replay obeys; empty: not there
  bool goes_on = false;            // belongs in the command that continues the search
  Field field = {};
};

/// All options, in the order of --help.
std::span<const Option> table();

/// Does the option have its default value?
bool is_usual(const Option& option, const Values& values);

}  // namespace heddle::options
