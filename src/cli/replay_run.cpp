// The replay of what `heddle run` found: one more run of the program, along the schedule of the trace.
#include <cstdio>

#include "cli/command.hpp"
#include "cli/run.hpp"
#include "cli/run_failures.hpp"
#include "cli/target.hpp"
#include "options/trace_header.hpp"
#include "report/kept_trace.hpp"
#include "report/symbolizer.hpp"

namespace heddle::cli {
namespace {

/// Returns what is wrong with the trace, if anything.
std::string follow(const Trace& expected, Launch& launch) {
  options::Values values;
  if (const std::string wrong = options::read_header(expected.header, values); !wrong.empty()) return wrong;
  launch.set_options(values);
  launch.set_replay(expected.schedule(), expected.verdict.kind != VerdictKind::cut);
  return launch.set_places(expected.header.option("promoted"), expected.header.option("ignored_races"));
}

}  // namespace

bool is_of_run(const TraceHeader& header) { return header.option(kWay) == kWayOfRun; }

int replay_run(const Trace& expected, const std::string& file, const std::vector<std::string>& words) {
  const Target target = find_target(words[0]);
  if (!target.error.empty()) return fail(target.error);
  Launch launch;
  if (const std::string wrong = follow(expected, launch); !wrong.empty()) return fail(file + ": " + wrong);
  LaunchResult result = launch.run(words, [] {});
  if (!result.error.empty()) return fail(result.error);
  if (!result.fault.empty() || result.failures.empty()) return fault(result.fault);
  FoundFailure& again = result.failures.front();
  again.trace.header = expected.header;
  if (!again.trace.verdict.is_failure() && expected.header.option(kOutputMark) == mark_of(again.output))
    again.trace.verdict = expected.verdict;
  report::symbolize(again.trace);
  if (const auto difference = first_difference(expected, again.trace)) {
    std::fputs(report::difference_text(file, *difference).c_str(), stderr);
    return kBugFound;
  }
  const auto how = report::to_standard_error(report::Occasion::replayed, true, file);
  std::fputs((report::failure_report(again.trace, how) + written(again)).c_str(), stderr);
  return again.trace.verdict.is_failure() ? kBugFound : kNothingFound;
}

}  // namespace heddle::cli
