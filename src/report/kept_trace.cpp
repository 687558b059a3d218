#include "report/kept_trace.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/new_file.hpp"
#include "base/printable.hpp"
#include "report/bug.hpp"
#include "report/terminal.hpp"
#include "report/text.hpp"
#include "trace/file.hpp"

namespace heddle::report {

namespace {

/// 0 if it was written, EEXIST if a trace of another bug has this name, or another errno.
int write_unless_other(const Trace& trace, const std::string& text, const std::string& path) {
  const int error = write_new_file(path, text, IfThere::fail);
  if (error != EEXIST) return error;
  const LoadedTrace old = read_trace(path);
  if (!old.trace || !same_bug(*old.trace, trace)) return EEXIST;
  return write_new_file(path, text, IfThere::replace);
}

}  // namespace

KeptTrace keep_trace(const Trace& trace, const std::string& folder, const std::string& test) {
  constexpr int kOthersMax = 1'000;  // with the same name
  const std::string text = sealed_text(trace);
  const std::string begin = (folder == "." ? "" : folder + "/") + name_of_bug(trace, test);
  std::string path;
  int error = EEXIST;
  for (int i = 1; i <= kOthersMax && error == EEXIST; ++i) {
    path = begin + (i == 1 ? "" : "-" + std::to_string(i)) + ".trace";
    error = write_unless_other(trace, text, path);
  }
  if (error == 0) return {path, replay_command(trace.header, path, is_own(parse_trace(text, path)))};
  std::fprintf(stderr, "heddle: the trace could not be written: cannot write %s: %s\n", printable(path).c_str(),
               std::strerror(error));
  return {};
}

std::string replay_command(const TraceHeader& header, const std::string& path, bool is_own) {
  std::string line = "heddle replay " + shell_word(path);
  if (is_own && !header.build_id.empty()) return line;
  if (const std::string_view oracle = header.option("oracle"); !oracle.empty() && !is_own)
    line += " --oracle " + shell_word(oracle);
  line += " -- " + shell_word(header.program);
  for (const std::string& argument : header.arguments) line += " " + shell_word(argument);
  return line;
}

FailureOptions to_standard_error(Occasion occasion, bool confirmed, KeptTrace kept) {
  const Terminal terminal = terminal_of(STDERR_FILENO);
  FailureOptions options;
  options.color = terminal.color;
  options.width = terminal.width;
  options.occasion = occasion;
  options.confirmed = confirmed;
  options.trace_path = std::move(kept.path);
  options.replay_command = std::move(kept.replay);
  return options;
}

std::string difference_text(const std::string& path, const Difference& difference) {
  return fmt::format("heddle: the replay of {} did not follow the trace\n  {}\n  {}\n", printable(path),
                     printable(difference.text), printable(difference.cause));
}

}  // namespace heddle::report
