// What every command of `heddle` shares: how it is added, how it fails, what it returns.
//
// A command is one file. Its add_ function describes it to CLI11 and leaves behind what is to be done if the user chose
// it; main.cpp lists the commands and runs the one that was chosen.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace heddle::cli {

enum ExitCode {
  kNothingFound = 0,
  kWrongUse = 1,
  kBugFound = 2,
  kFault = 3,  // in heddle itself
};

using Action = std::function<int()>;  // returns an exit code

/// `program`: the words after `--`, if there were any.
void add_run(CLI::App& app, const std::vector<std::string>& program, Action& chosen);
void add_replay(CLI::App& app, Action& chosen);
void add_show(CLI::App& app, Action& chosen);
void add_chart(CLI::App& app, Action& chosen);
void add_strategies(CLI::App& app, Action& chosen);

/// `heddle cc` and `heddle c++` are only listed: CLI11 must not look at the options of a compiler.
void add_compile(CLI::App& app);
bool is_compile(int count, char** words);
int compile(int count, char** words);

/// Prints `heddle: message` to the standard error; returns kWrongUse.
int fail(std::string_view message);

}  // namespace heddle::cli
