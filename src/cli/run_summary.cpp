#include "cli/run_summary.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <sstream>
#include <string_view>

#include "base/printable.hpp"
#include "options/budget.hpp"
#include "report/summary.hpp"
#include "report/symbolizer.hpp"
#include "report/terminal.hpp"
#include "trace/frames.hpp"

namespace heddle::cli {
namespace {

/// The native stack of the operation that blocked all progress.
std::string stuck_at(const preload::Channel& channel) {
  Trace trace;
  for (std::uint32_t i = 0; i < channel.stuck_depth; ++i)
    trace.places.push_back({channel.stuck_places[i].module, channel.stuck_places[i].offset, {}});
  report::symbolize(trace);
  std::string text;
  for (const Place& place : trace.places)
    for (const Place::Line& line : place.lines)
      if (line.line != 0)
        text += fmt::format("\n            at {} {}:{}", line.function, base_name(line.file), line.line);
      else if (!line.function.empty())
        text += fmt::format("\n            at {}", line.function);
  return text;
}

/// What heddle does not control, where it is, and what follows from it.
std::string uncontrolled(const runtime::UncontrolledPlace& place) {
  const std::string module(base_name(place.module));
  const std::string line = report::lines_of({{place.module, place.offset, {}}});
  const std::string where = line.empty() ? fmt::format("at {:#x}", place.offset) : "at " + line;
  switch (place.kind) {
    case runtime::UncontrolledKind::call:
      return fmt::format("control is partial: {} makes the system call {} {}, which heddle does not control", module,
                         place.name, where);
    case runtime::UncontrolledKind::instruction:
      return fmt::format("control may be partial: {} has {} {}, by which it can call the kernel unseen", module,
                         place.name, where);
    case runtime::UncontrolledKind::outside:
      return fmt::format("may not be repeatable: {} {} {}; what that does, and when, is in no schedule", module,
                         place.name, where);
    case runtime::UncontrolledKind::random:
      break;
  }
  return fmt::format(
      "may not be repeatable: {} has {} {}; if it draws random numbers there, the same seed need not "
      "give the same schedules",
      module, place.name, where);
}

}  // namespace

report::ProgressNumbers numbers_of(const preload::Channel& channel) {
  const engine::Budget budget = options::budget_of(channel.request);
  return report::numbers_of(channel.counts, budget.executions, budget.time_ns);
}

std::vector<report::InstrumentedCode> instrumented_code(const preload::Channel& channel) {
  std::vector<std::string> modules;
  std::istringstream paths(channel.instrumented ? channel.modules : "");
  for (std::string path; std::getline(paths, path);) modules.push_back(path);
  return report::instrumented_code_of(modules);
}

std::vector<Place> repeated_places(const preload::Channel& channel) {
  std::vector<Place> places;
  for (std::uint32_t i = 0; i < channel.repeated_count; ++i)
    places.push_back({channel.repeated[i].module, channel.repeated[i].offset, {}});
  return places;
}

void report_end(const RunOptions& options, const preload::Channel& channel, std::size_t bugs, bool stopped,
                const report::Suppressions& suppressions) {
  const std::string name(base_name(options.words[0]));
  if (channel.nothing_to_choose && channel.stuck == 0 && channel.counts.ended == 0 && bugs == 0) {
    std::fputs(report::nothing_to_explore_text(name).c_str(), stderr);
    return;
  }
  report::Summary summary;
  summary.name = stopped ? name + ": stopped" : name;
  summary.strategy = options.values.strategy;
  summary.seed = options.values.seed;
  summary.bugs = bugs;
  summary.totals = numbers_of(channel);
  summary.cut = channel.counts.cut;
  summary.ended = channel.counts.ended;
  summary.last_ended = channel.ended_text;
  summary.steps_max = options.values.steps_max;
  summary.repeated = report::lines_of(repeated_places(channel));
  summary.points = channel.points_text;
  summary.instrumented = report::instrumented_code_text(instrumented_code(channel));
  summary.suppressed = suppressions.summary();
  if (channel.finished) summary.explored = channel.text;
  if (!channel.finished) summary.go_on = go_on_line(options);
  std::fputs(report::summary_text(summary, report::terminal_of(STDERR_FILENO).color).c_str(), stderr);
}

void report_notes(const preload::Channel& channel) {
  if (channel.started_child)
    std::fputs("  note    the program starts other processes: they run free, outside heddle's control\n", stderr);
  if (channel.chosen_text[0] != '\0' && !channel.nothing_to_choose)
    std::fprintf(stderr, "  isolation %s\n", printable(channel.chosen_text).c_str());
  if (channel.isolation_text[0] != '\0')
    std::fprintf(stderr, "  note    %s\n", printable(channel.isolation_text).c_str());
  for (std::uint32_t i = 0; i < channel.uncontrolled.count; ++i)
    std::fprintf(stderr, "  note    %s\n", printable(uncontrolled(channel.uncontrolled.places[i])).c_str());
  if (channel.stuck != 0)
    std::fprintf(stderr, "  note    control is partial: %s%s\n", printable(channel.stuck_text).c_str(),
                 printable_lines(stuck_at(channel)).c_str());
}

void explain_search(const preload::Channel& channel) {
  const bool says_nothing = channel.search[0] == '\0';
  std::fputs(says_nothing ? "  search  one strategy had all the executions\n" : "  search\n", stderr);
  std::string_view text = channel.search;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::fprintf(stderr, "    %.*s\n", static_cast<int>(end), text.data());
    text.remove_prefix(end + 1);
  }
}

}  // namespace heddle::cli
