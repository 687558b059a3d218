#include "cli/run_failures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/hash.hpp"
#include "base/printable.hpp"
#include "cli/run.hpp"
#include "options/trace_header.hpp"
#include "report/build_id.hpp"
#include "report/kept_trace.hpp"
#include "report/symbolizer.hpp"

namespace heddle::cli {
namespace {

TraceHeader header_of(const RunOptions& options, const FoundFailure& found) {
  TraceHeader header;
  header.program = options.words[0];
  header.arguments.assign(options.words.begin() + 1, options.words.end());
  header.directory = std::filesystem::current_path().string();
  header.build_id = report::build_id_of(header.program);
  header.exploration = "run";
  header.execution = found.execution;
  header.options = found.trace.header.options;
  header.options.emplace_back(kWay, kWayOfRun);
  if (options.values.same_output) header.options.emplace_back(kOutputMark, mark_of(found.output));
  options::write_header(options.values, header);
  return header;
}

std::string indented(const std::string& text) {
  constexpr std::size_t kLinesMax = 40;
  std::string result;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (++lines > kLinesMax) return result + "    …\n";
    result += "    " + printable_lines(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return result;
}

/// Empty if there is nothing to replay.
report::KeptTrace keep(FoundFailure& found, const RunOptions& options) {
  found.trace.header = header_of(options, found);
  if (found.trace.operations.empty()) return {};
  report::symbolize(found.trace);
  return report::keep_trace(found.trace, options.values.trace_directory, "");
}

}  // namespace

std::string mark_of(const std::string& output) {
  std::uint64_t hash = output.size();
  for (const char c : output) hash = mix(hash ^ static_cast<unsigned char>(c));
  return fmt::format("{:016x}", hash);
}

std::string written(const FoundFailure& found) {
  std::string text;
  if (!found.output.empty()) text += "  output\n" + indented(found.output);
  if (!found.errors.empty()) text += "  standard error\n" + indented(found.errors);
  return text;
}

std::string report_failure(FoundFailure& found, const RunOptions& options) {
  const report::KeptTrace kept = keep(found, options);
  const auto how = report::to_standard_error(report::Occasion::found, found.confirmed, kept);
  std::fputs((report::failure_report(found.trace, how) + written(found)).c_str(), stderr);
  return kept.path;
}

void report_first(FoundFailure& first, const RunOptions& options) {
  std::fprintf(stderr, "\n  first   %s: the first execution, which wrote\n%s",
               printable(keep(first, options).path).c_str(), written(first).c_str());
}

}  // namespace heddle::cli
