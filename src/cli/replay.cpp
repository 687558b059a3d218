// `heddle replay FILE [-- PROGRAM ARGUMENTS…]`: runs the program of a trace again, along the schedule of the trace.
//
// For a test that calls heddle::explore, the work is done inside the program: heddle there sees HEDDLE_REPLAY, follows
// the trace, checks every step and prints. This command only ensures that it is the same program, started in the same
// way. A trace of `heddle run` is followed by the runtime that is loaded into the program, and compared here.
//
// What is run is never a stranger's choice: replay_words.cpp decides whether the words of the trace may be used.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/replay_words.hpp"
#include "cli/run.hpp"
#include "report/text.hpp"
#include "trace/file.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  std::string file;
  std::string oracle;
  bool verbose = false;
  std::vector<std::string> program;  // and its arguments, if the user named them
};

void note(const std::string& message) { std::fprintf(stderr, "heddle: %s\n", printable(message).c_str()); }

std::string in_shell(const std::string& file, const std::vector<std::string>& words) {
  std::string text = "HEDDLE_REPLAY=" + report::shell_word(file);
  for (const std::string& word : words) text += " " + report::shell_word(word);
  return text;
}

/// Returns only on failure.
int run_in_place(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execv(pointers[0], pointers.data());
  return fail(fmt::format("cannot run {}: {}", words[0], std::strerror(errno)));
}

/// The folder where the program ran. If that is gone, the current one may do as well.
void enter(const std::string& directory) {
  if (!directory.empty() && chdir(directory.c_str()) != 0)
    note(fmt::format("cannot enter {}, where the program ran ({}): running it here instead", directory,
                     std::strerror(errno)));
}

int replay(const ReplayOptions& options) {
  const LoadedTrace loaded = read_trace(options.file);
  if (!loaded.trace) return fail(loaded.error);
  ReplayWords replayed = words_to_replay(loaded, options.file, options.program, options.oracle);
  if (!replayed.error.empty()) return fail(replayed.error);
  const std::string file = fs::absolute(options.file).lexically_normal();
  enter(replayed.directory);
  if (is_of_run(loaded.trace->header)) return replay_run(loaded, file, replayed);
  setenv("HEDDLE_REPLAY", file.c_str(), 1);
  if (options.verbose) note(fmt::format("in {}: {}", fs::current_path().string(), in_shell(file, replayed.words)));
  return run_in_place(std::move(replayed.words));
}

}  // namespace

void add_replay(CLI::App& app, const std::vector<std::string>& program, Action& chosen) {
  const auto options = std::make_shared<ReplayOptions>();
  options->program = program;
  CLI::App* command = app.add_subcommand("replay", "run the program of a trace again, along the same schedule");
  command->add_option("FILE", options->file, "a trace file, which an exploration writes when it finds a bug")
      ->required();
  command->add_option("--oracle", options->oracle, "the command that judges the output, for a trace of another user")
      ->type_name("COMMAND");
  command->add_flag("-v,--verbose", options->verbose, "print the command that is run");
  command->footer(
      "heddle replay FILE [-- PROGRAM ARGUMENTS...]\n"
      "What a trace names is run only if you made the trace yourself, on this machine; otherwise name the program "
      "after\n"
      "`--`. It must be the same build. Exits with the exit code of the program: 2 if the bug appeared again.");
  command->callback([options, &chosen] { chosen = [options] { return replay(*options); }; });
}

}  // namespace heddle::cli
