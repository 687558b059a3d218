// `heddle replay FILE`: runs the program of a trace again, along the schedule of the trace.
//
// Of a test that calls heddle::explore the work is done inside the program: heddle in it sees HEDDLE_REPLAY, follows
// the trace, checks every step and prints. Here it is only made sure that it is the same program, started in the same
// way. A trace of `heddle run` is followed by the runtime that is loaded into the program, and compared here.
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

#include "cli/command.hpp"
#include "cli/run.hpp"
#include "report/build_id.hpp"
#include "report/text.hpp"
#include "trace/file.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct ReplayOptions {
  std::string file;
  bool verbose = false;
};

void note(const std::string& message) { std::fprintf(stderr, "heddle: %s\n", message.c_str()); }

/// Its absolute path. A relative one is meant from where the program ran.
std::string program_of(const TraceHeader& header) {
  std::error_code ignored;
  const fs::path there = fs::path(header.directory) / header.program;
  return fs::absolute(fs::exists(there, ignored) ? there : fs::path(header.program), ignored).string();
}

/// What is wrong with the program that is there now; empty if it is the one that the trace is of.
std::string objection(const TraceHeader& header, const std::string& program) {
  if (header.program.empty()) return "this trace does not name its program";
  std::error_code ignored;
  if (!fs::is_regular_file(program, ignored))
    return fmt::format("{}, the program of this trace, does not exist: build it again", program);
  if (access(program.c_str(), X_OK) != 0)
    return fmt::format("{}, the program of this trace, cannot be run: {}", program, std::strerror(errno));
  const std::string now = report::build_id_of(program);
  if (header.build_id.empty() || now == header.build_id) return {};
  return fmt::format(
      "this trace was made by another build of {} (build id {}, now {}): run the test again, or rebuild that version",
      program, header.build_id, now.empty() ? "none" : now);
}

std::string in_shell(const std::string& file, const std::vector<std::string>& words) {
  std::string text = "HEDDLE_REPLAY=" + report::shell_word(file);
  for (const std::string& word : words) text += " " + report::shell_word(word);
  return text;
}

/// Returns only if it cannot.
int run_in_place(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::fflush(nullptr);
  execv(pointers[0], pointers.data());
  return fail(fmt::format("cannot run {}: {}", words[0], std::strerror(errno)));
}

/// Where the program ran; where that is gone, it may do as well here.
void enter(const std::string& directory) {
  if (!directory.empty() && chdir(directory.c_str()) != 0)
    note(fmt::format("cannot enter {}, where the program ran ({}): running it here instead", directory,
                     std::strerror(errno)));
}

int replay(const ReplayOptions& options) {
  const LoadedTrace loaded = read_trace(options.file);
  if (!loaded.trace) return fail(loaded.error);
  const TraceHeader& header = loaded.trace->header;
  const std::string file = fs::absolute(options.file).lexically_normal();
  std::vector<std::string> words = {program_of(header)};
  words.insert(words.end(), header.arguments.begin(), header.arguments.end());
  const std::string wrong = objection(header, words[0]);
  if (!wrong.empty()) return fail(wrong);
  enter(header.directory);
  if (is_of_run(header)) return replay_run(*loaded.trace, file, words);
  setenv("HEDDLE_REPLAY", file.c_str(), 1);
  if (options.verbose) note(fmt::format("in {}: {}", fs::current_path().string(), in_shell(file, words)));
  return run_in_place(std::move(words));
}

}  // namespace

void add_replay(CLI::App& app, Action& chosen) {
  const auto options = std::make_shared<ReplayOptions>();
  CLI::App* command = app.add_subcommand("replay", "run the program of a trace again, along the same schedule");
  command->add_option("FILE", options->file, "a trace file, which an exploration writes when it finds a bug")
      ->required();
  command->add_flag("-v,--verbose", options->verbose, "print the command that is run");
  command->footer("Exits with the exit code of the program: 2 if the bug appeared again.");
  command->callback([options, &chosen] { chosen = [options] { return replay(*options); }; });
}

}  // namespace heddle::cli
