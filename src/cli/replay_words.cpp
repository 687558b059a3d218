#include "cli/replay_words.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "cli/target.hpp"
#include "report/build_id.hpp"
#include "report/kept_trace.hpp"
#include "report/text.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// The absolute path of the program. A relative path is resolved from where the program ran.
std::string program_of(const TraceHeader& header) {
  std::error_code ignored;
  const fs::path there = fs::path(header.directory) / header.program;
  return fs::absolute(fs::exists(there, ignored) ? there : fs::path(header.program), ignored).string();
}

/// What is wrong with the program as it is now; empty if it is the one that the trace is of.
std::string objection(const TraceHeader& header, const std::string& program) {
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

/// What to type instead, from where the program ran.
std::string how_to_name_it(const TraceHeader& header, const std::string& file) {
  std::error_code ignored;
  const bool is_here = header.directory.empty() || fs::path(header.directory) == fs::current_path(ignored);
  const std::string path = is_here ? file : fs::absolute(file, ignored).lexically_normal().string();
  return (is_here ? "" : "cd " + report::shell_word(header.directory) + " && ") +
         report::replay_command(header, path, false);
}

/// Why the words of the trace itself are not used; empty if they may be.
std::string distrust(const LoadedTrace& loaded, const std::string& file) {
  const TraceHeader& header = loaded.trace->header;
  if (!is_own(loaded))
    return fmt::format(
        "{} was not written by you on this machine, or was changed since, so heddle does not run what it names. If you "
        "trust this command, type it:\n  {}",
        file, how_to_name_it(header, file));
  if (header.build_id.empty())
    return fmt::format("{} has no build id, so it may have changed since. If it is the same, name it:\n  {}",
                       header.program, how_to_name_it(header, file));
  return {};
}

ReplayWords refused(std::string why) {
  ReplayWords words;
  words.error = std::move(why);
  return words;
}

ReplayWords words_of_trace(const LoadedTrace& loaded) {
  const TraceHeader& header = loaded.trace->header;
  ReplayWords replayed;
  replayed.words = {program_of(header)};
  replayed.words.insert(replayed.words.end(), header.arguments.begin(), header.arguments.end());
  replayed.directory = header.directory;
  replayed.oracle = header.option("oracle");
  replayed.error = objection(header, replayed.words[0]);
  return replayed;
}

}  // namespace

ReplayWords words_to_replay(const LoadedTrace& loaded, const std::string& file, const std::vector<std::string>& program,
                            const std::string& oracle) {
  const TraceHeader& header = loaded.trace->header;
  if (program.empty() && header.program.empty())
    return refused("this trace does not name its program; name it after `--`");
  if (program.empty()) {
    if (std::string why = distrust(loaded, file); !why.empty()) return refused(std::move(why));
    return words_of_trace(loaded);
  }
  if (oracle.empty() && !header.option("oracle").empty() && !is_own(loaded))
    return refused(
        fmt::format("{} was judged by a command, which heddle does not take from a file. If you trust it, type "
                    "it:\n  {}",
                    file, how_to_name_it(header, file)));
  ReplayWords replayed;
  replayed.words = program;
  replayed.words[0] = find_target(program[0]).path;
  replayed.oracle = oracle.empty() ? header.option("oracle") : oracle;
  replayed.error = objection(header, replayed.words[0]);
  return replayed;
}

}  // namespace heddle::cli
