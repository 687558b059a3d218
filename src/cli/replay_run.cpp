// Replays what `heddle run` found: one more run of the program, along the schedule of the trace.
#include <cstdio>

#include "cli/command.hpp"
#include "cli/machine_limit.hpp"
#include "cli/run.hpp"
#include "cli/run_failures.hpp"
#include "cli/target.hpp"
#include "options/trace_header.hpp"
#include "options/types.hpp"
#include "report/kept_trace.hpp"
#include "report/symbolizer.hpp"

namespace heddle::cli {
namespace {

/// Returns what is wrong with the trace, if anything.
std::string follow(const LoadedTrace& loaded, const std::string& file, const std::string& oracle, Launch& launch) {
  const Trace& expected = *loaded.trace;
  options::Values values;
  if (const options::Wrong wrong = options::read_header(expected.header, values); !wrong.text.empty())
    return place_of_option(loaded, file, wrong.option) + ": " + wrong.text;
  if (const std::string wrong = options::parse(oracle, values.oracle); !wrong.empty()) return "--oracle " + wrong;
  launch.set_options(values);
  launch.set_replay(expected.schedule(), expected.verdict.kind != VerdictKind::cut);
  const std::string wrong =
      launch.set_places(expected.header.option("promoted"), expected.header.option("ignored_races"));
  return wrong.empty() ? wrong : file + ": " + wrong;
}

}  // namespace

bool is_of_run(const TraceHeader& header) { return header.option(kWay) == kWayOfRun; }

int replay_run(const LoadedTrace& loaded, const std::string& file, const ReplayWords& replayed) {
  const Trace& expected = *loaded.trace;
  const Target target = find_target(replayed.words[0]);
  if (!target.error.empty()) return fail(target.error);
  need_proc();
  Launch launch;
  if (const std::string wrong = follow(loaded, file, replayed.oracle, launch); !wrong.empty()) return fail(wrong);
  LaunchResult result = launch.run(replayed.words, [] {});
  if (!result.error.empty()) return fail(result.error);
  if (!result.ended_early.empty()) return fail("the program " + result.ended_early + " before main");
  if (!result.refused.empty()) return refuse(result.refused + ".");
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
  const auto how = report::to_standard_error(report::Occasion::replayed, true, {file, {}});
  std::fputs((report::failure_report(again.trace, how) + written(again)).c_str(), stderr);
  return again.trace.verdict.is_failure() ? kBugFound : kNothingFound;
}

}  // namespace heddle::cli
