#include "api/outcome.hpp"

#include <unistd.h>

#include <utility>

#include "api/process.hpp"
#include "api/test_name.hpp"
#include "base/printable.hpp"
#include "engine/modules.hpp"
#include "options/budget.hpp"
#include "options/environment.hpp"
#include "options/trace_header.hpp"
#include "report/instrumented_code.hpp"
#include "report/kept_trace.hpp"
#include "report/progress.hpp"
#include "report/summary.hpp"
#include "report/symbolizer.hpp"
#include "report/terminal.hpp"
#include "runtime/tsan/watch.hpp"

namespace heddle {
namespace {

/// `found`: what the engine recorded about this execution.
TraceHeader header_of(const Exploration& exploration, std::uint64_t execution, const TraceHeader& found) {
  TraceHeader header = header_of_process();
  header.exploration = exploration.name;
  header.execution = execution;
  header.options = found.options;
  options::write_header(exploration.values, header);
  return header;
}

report::KeptTrace keep(const Trace& trace, const Exploration& exploration) {
  const std::string folder = exploration.values.trace_directory;
  return folder.empty() ? report::KeptTrace() : report::keep_trace(trace, folder, name_of_test(exploration));
}

void add_failure(engine::Failure failure, const Exploration& exploration, bool keeps_trace, Result& result) {
  Trace& trace = failure.trace;
  trace.header = header_of(exploration, failure.execution, trace.header);
  report::symbolize(trace);
  result.bug_found = true;
  result.reproduced = failure.confirmed;
  if (!failure.confirmed && trace.verdict.kind != VerdictKind::memory_error) {
    trace.verdict.kind = VerdictKind::diverged;
    trace.verdict.set_text(engine::words_for_difference(failure));
  }
  result.verdict = name(trace.verdict.kind);
  result.message = trace.verdict.text();
  report::KeptTrace kept;
  if (keeps_trace) kept = keep(trace, exploration);
  result.trace_path = kept.path;
  result.report = report::failure_report(
      trace, report::to_standard_error(report::Occasion::found, failure.confirmed, std::move(kept)));
}

/// Only the very first run failed, which is not counted.
void add_first_failure(const Verdict& first, const Exploration& exploration, Result& result) {
  result.bug_found = true;
  result.verdict = name(VerdictKind::diverged);
  result.message = "the program is not deterministic: its very first run ended with `" + std::string(first.text()) +
                   "`, and none of the " + std::to_string(result.executions) +
                   " that followed did; something that the first run left behind hides it";
  result.report = printable("heddle: " + exploration.name + ": " + result.message) + "\n";
}

/// The same program for a minute, with another seed; shell quoting is left to the reader.
std::string how_to_go_on(std::uint64_t seed) {
  std::string line = "HEDDLE_TIME=60 HEDDLE_SEED=" + std::to_string(seed + 1);
  if (const std::string more = options::environment_to_go_on(); !more.empty()) line += " " + more;
  for (const std::string& word : command_line()) line += " " + word;
  return line;
}

report::Summary summary_of(const engine::Findings& findings, const Exploration& exploration) {
  const options::Values& values = exploration.values;
  const engine::Budget budget = options::budget_of(values);
  report::Summary summary;
  summary.name = exploration.name;
  summary.strategy = values.strategy;
  summary.seed = values.seed;
  summary.totals = report::numbers_of(findings.totals, budget.executions, budget.time_ns);
  summary.cut = findings.cut;
  summary.unanswered = findings.unanswered;
  summary.last_unanswered = findings.last_unanswered.text();
  summary.steps_max = values.steps_max;
  summary.repeated = report::lines_of(engine::repeated_places(findings.last_cut));
  summary.points = findings.points;
  if (runtime::watch.is_instrumented())
    summary.instrumented = report::instrumented_code_text(report::instrumented_code_of(engine::paths_of_modules()));
  summary.explored = findings.explored;
  if (!findings.finished) summary.go_on = how_to_go_on(values.seed);
  return summary;
}

/// The counts, whether or not a bug was found.
Result result_of_totals(const engine::Findings& findings) {
  Result result;
  result.executions = findings.totals.executions;
  result.steps = findings.totals.steps;
  result.distinct_schedules = findings.totals.distinct_schedules;
  result.classes = findings.totals.novelty.classes;
  result.chance_of_new_class = findings.totals.novelty.chance;
  result.chance_of_new_class_min = findings.totals.novelty.low;
  result.chance_of_new_class_max = findings.totals.novelty.high;
  result.cut = findings.cut;
  result.complete = findings.finished;
  result.explored = findings.explored;
  result.search = findings.search;
  return result;
}

}  // namespace

Result result_of_interrupted(engine::Failure failure, const Exploration& exploration, bool keeps_trace) {
  Result result;
  add_failure(std::move(failure), exploration, keeps_trace, result);
  return result;
}

Result result_of(engine::Findings findings, const Exploration& exploration, const report::Suppressions& suppressions) {
  Result result = result_of_totals(findings);
  result.suppressed_races = suppressions.races();
  if (!findings.failures.empty()) {
    add_failure(std::move(findings.failures.front()), exploration, true, result);
    return result;
  }
  if (findings.first.is_failure()) {
    add_first_failure(findings.first, exploration, result);
    return result;
  }
  result.verdict = name(VerdictKind::passed);
  report::Summary summary = summary_of(findings, exploration);
  if (findings.nothing_to_choose) {
    result.report = report::nothing_to_explore_text(summary.name);
    return result;
  }
  summary.suppressed = suppressions.summary();
  result.report = report::summary_text(summary, report::terminal_of(STDERR_FILENO).color);
  return result;
}

}  // namespace heddle
