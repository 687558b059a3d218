#include "report/kept_trace.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "report/terminal.hpp"
#include "trace/file.hpp"
#include "trace/frames.hpp"

namespace heddle::report {

std::string trace_path(const TraceHeader& header, const std::string& folder, std::size_t number) {
  std::string name = fmt::format("{}.{}.trace", base_name(header.program), number);
  return folder == "." ? name : folder + "/" + name;
}

std::string keep_trace(const Trace& trace, const std::string& path) {
  const std::string error = write_trace(trace, path);
  if (error.empty()) return path;
  std::fprintf(stderr, "heddle: the trace could not be written: %s\n", error.c_str());
  return {};
}

FailureOptions to_standard_error(Occasion occasion, bool confirmed, std::string path) {
  const Terminal terminal = terminal_of(STDERR_FILENO);
  FailureOptions options;
  options.color = terminal.color;
  options.width = terminal.width;
  options.occasion = occasion;
  options.confirmed = confirmed;
  options.trace_path = std::move(path);
  return options;
}

std::string difference_text(const std::string& path, const Difference& difference) {
  return fmt::format("heddle: the replay of {} did not follow the trace\n  {}\n  {}\n", path, difference.text,
                     difference.cause);
}

}  // namespace heddle::report
