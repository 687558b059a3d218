// What all commands of `heddle` share: how a command is added, how it fails, what it returns.
//
// A command is one file. Its add_ function describes the command to CLI11 and registers the action to run if the user
// chose it; main.cpp lists the commands and runs the chosen one.
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
  kFault = 3,    // a fault of heddle itself
  kRefused = 4,  // the machine has no more of something that heddle needs
};

using Action = std::function<int()>;  // returns an exit code

/// `program`: the words after `--`, if any.
void add_run(CLI::App& app, const std::vector<std::string>& program, Action& chosen);
void add_replay(CLI::App& app, const std::vector<std::string>& program, Action& chosen);
void add_show(CLI::App& app, Action& chosen);
void add_chart(CLI::App& app, Action& chosen);
void add_strategies(CLI::App& app, Action& chosen);

/// `heddle cc` and `heddle c++` are only listed: CLI11 must not parse a compiler's options.
void add_compile(CLI::App& app);
bool is_compile(int count, char** words);
int compile(int count, char** words);

/// For a file that the user named; empty if there is no more to say than that it cannot be written.
std::string why_not_written(int error);

/// Prints `heddle: message` to the standard error; returns kWrongUse.
int fail(std::string_view message);
/// The same for what the machine refused; returns kRefused. An empty message has been printed already.
int refuse(std::string_view message);

}  // namespace heddle::cli
