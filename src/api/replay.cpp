// Replays a trace, in the program that the trace is of.
#include <optional>
#include <string>

#include "api/outcome.hpp"
#include "base/printable.hpp"
#include "report/kept_trace.hpp"
#include "report/symbolizer.hpp"
#include "runtime/tsan/watch.hpp"
#include "trace/compare.hpp"
#include "trace/file.hpp"

namespace heddle {
namespace {

Result skipped(const Exploration& exploration, const std::string& other) {
  Result result;
  result.verdict = name(VerdictKind::passed);
  result.report = printable("heddle: " + exploration.name + " skipped: the trace is of " + other) + "\n";
  return result;
}

Trace run_again(engine::Explorer& explorer, const Trace& expected) {
  runtime::watch.promoted().add_all(std::string(expected.header.option("promoted")));
  runtime::watch.ignored().begin();
  runtime::watch.ignored().add_all(std::string(expected.header.option("ignored_races")));
  Trace actual = explorer.replay(expected.schedule(), expected.verdict.kind != VerdictKind::cut).trace;
  actual.header = expected.header;
  report::symbolize(actual);
  return actual;
}

}  // namespace

Result replay_file(engine::Explorer& explorer, const Exploration& exploration) {
  const std::string& path = exploration.replayed;
  const LoadedTrace loaded = read_trace(path);
  if (!loaded.trace) throw WrongUse(loaded.error);
  const Trace& expected = *loaded.trace;
  if (expected.header.exploration != exploration.name) return skipped(exploration, expected.header.exploration);
  const Trace actual = run_again(explorer, expected);
  Result result;
  result.executions = 1;
  result.trace_path = path;
  const std::optional<Difference> difference = first_difference(expected, actual);
  if (difference) {
    result.bug_found = true;
    result.verdict = name(VerdictKind::diverged);
    result.message = difference->text;
    result.report = report::difference_text(path, *difference);
    return result;
  }
  result.bug_found = actual.verdict.is_failure();
  result.reproduced = true;
  result.verdict = name(actual.verdict.kind);
  result.message = actual.verdict.text();
  result.report =
      report::failure_report(actual, report::to_standard_error(report::Occasion::replayed, true, {path, {}}));
  return result;
}

}  // namespace heddle
