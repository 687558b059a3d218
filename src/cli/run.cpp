// `heddle run [options] -- PROGRAM ARGUMENTS…`: explores a whole, unmodified program.
//
// The command line becomes options::Values (run_options.cpp), the program is started with them (launch.cpp), its
// failures become traces and reports (run_failures.cpp), and a summary follows at the end (run_summary.cpp,
// run_json.cpp).
#include "cli/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/printable.hpp"
#include "cli/command.hpp"
#include "cli/launch.hpp"
#include "cli/machine_limit.hpp"
#include "cli/promoted_file.hpp"
#include "cli/run_failures.hpp"
#include "cli/run_json.hpp"
#include "cli/run_options.hpp"
#include "cli/run_summary.hpp"
#include "cli/target.hpp"
#include "options/types.hpp"
#include "report/suppressions.hpp"
#include "report/symbolizer.hpp"

namespace heddle::cli {
namespace {

int run_free(const RunOptions& options) {
  std::vector<char*> words;
  for (const std::string& word : options.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  return fail(fmt::format("cannot run {}: {}", options.words[0], std::strerror(errno)));
}

/// Returns what is wrong with the suppressions file, if anything.
std::string suppress(const RunOptions& options, report::Suppressions& suppressions, Launch& launch) {
  const std::string file = options.values.suppressions_file;
  if (file.empty()) return {};
  if (std::string wrong = suppressions.read(file, options.words[0]); !wrong.empty()) return wrong;
  launch.answer_with([&suppressions](Trace& race) {
    report::symbolize(race);
    return suppressions.suppresses(race);
  });
  return {};
}

/// Passes the request to the program. Returns what is wrong with it, if anything.
std::string prepare(const RunOptions& options, report::Suppressions& suppressions, Launch& launch) {
  const options::Values& values = options.values;
  launch.set_options(values);
  const std::string promoted = read_promoted(values.promoted_file, options.words[0]);
  if (const std::string wrong = launch.set_places(promoted, {}); !wrong.empty())
    return fmt::format("{}: {}", values.promoted_file, wrong);
  if (std::string wrong = suppress(options, suppressions, launch); !wrong.empty()) return wrong;
  return values.list_file[0] == '\0' ? std::string() : launch.list_to(values.list_file);
}

/// Reports each bug in turn; returns what the JSON says about them.
RunSummary report_failures(std::vector<FoundFailure>& failures, const RunOptions& options) {
  RunSummary summary;
  summary.program = options.words[0];
  summary.strategy = options.values.strategy;
  summary.seed = options.values.seed;
  for (FoundFailure& found : failures) {
    if (!found.trace.verdict.is_failure()) {
      report_first(found, options);
      continue;
    }
    summary.verdicts.emplace_back(name(found.trace.verdict.kind));
    summary.traces.push_back(report_failure(found, options));
  }
  return summary;
}

/// A static initialiser threw, crashed or left: there is no schedule to blame, and so no trace.
int report_early_end(const LaunchResult& result, const RunOptions& options) {
  const std::string& program = options.words[0];
  if (result.early_code >= 0 && options.values.exits.has(result.early_code)) {
    std::fprintf(stderr, "heddle: %s: it ran once and ended well, before main: there is nothing to explore\n",
                 program.c_str());
    return kNothingFound;
  }
  std::fprintf(stderr,
               "BUG in the first execution: the program %s before main, in the initialisation of its globals\n"
               "  no schedule is to blame: run it alone to see why: %s\n",
               result.ended_early.c_str(), program.c_str());
  return kBugFound;
}

int explore(const RunOptions& options) {
  const options::Values& values = options.values;
  need_proc();
  Launch launch;
  report::Suppressions suppressions;
  if (const std::string wrong = prepare(options, suppressions, launch); !wrong.empty()) return fail(wrong);
  report::Progress line;
  LaunchResult result = launch.run(options.words, [&] { line.update(numbers_of(launch.channel())); });
  line.clear();
  if (!result.error.empty()) return fail(result.error);
  if (!result.fault.empty()) return fault(result.fault);
  if (!result.ended_early.empty()) return report_early_end(result, options);
  if (!result.refused.empty())
    return refuse(refused_text(result.refused, launch.channel().counts.executions, values.keep_going));

  RunSummary summary = report_failures(result.failures, options);
  const std::size_t bugs = summary.verdicts.size();
  write_promoted(values.promoted_file, options.words[0], launch.channel().promoted);
  if (bugs == 0 || values.keep_going)
    report_end(options, launch.channel(), bugs, result.stopped, suppressions);
  else if (!suppressions.summary().empty())
    std::fprintf(stderr, "  races   %s\n", printable(suppressions.summary()).c_str());
  report_notes(launch.channel());
  if (!result.remark.empty()) std::fprintf(stderr, "  note    %s\n", result.remark.c_str());
  if (values.explain_search) explain_search(launch.channel());
  if (values.json_file[0] != '\0') {
    summary.suppressed_races = suppressions.races();
    summary.instrumented = instrumented_code(launch.channel());
    errno = 0;
    if (const std::string wrong = write_json(summary, launch.channel(), values.json_file); !wrong.empty()) {
      const int error = errno;
      const int code = is_of_machine(error) ? refuse(fmt::format("{}: {}.", wrong, std::strerror(error))) : fail(wrong);
      return bugs == 0 ? code : kBugFound;
    }
  }
  return bugs == 0 ? kNothingFound : kBugFound;
}

int run(RunOptions options) {
  if (const std::string wrong = objection(options); !wrong.empty()) return fail(wrong);
  const Target target = find_target(options.words[0]);
  if (!target.error.empty()) return fail(target.error);
  options.typed = std::exchange(options.words[0], target.path);
  options::Text& suppressions = options.values.suppressions_file;
  if (suppressions[0] == '\0')
    if (const std::string wrong = options::parse(report::suppressions_in(std::getenv("TSAN_OPTIONS")), suppressions);
        !wrong.empty())
      return fail("the suppressions of TSAN_OPTIONS: the path " + wrong);
  return options.values.free ? run_free(options) : explore(options);
}

}  // namespace

int fault(const std::string& text) {
  std::fprintf(stderr, "heddle: this is a fault in heddle itself: %s\n", printable_lines(text).c_str());
  return kFault;
}

void add_run(CLI::App& app, const std::vector<std::string>& program, Action& chosen) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "explore an unmodified program");
  command->prefix_command();
  describe_options(*command, options->values);
  command->footer(
      "heddle run [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
      "Without a bound it stops after 10,000 executions or 10 seconds. Ctrl-C stops it and prints the summary.\n"
      "Exit codes: 0 nothing found, 1 wrong use, 2 a bug was found, 3 a fault in heddle itself, 4 the machine "
      "refused something.");
  command->callback([command, options, program, &chosen] {
    options->words = command->remaining();
    options->words.insert(options->words.end(), program.begin(), program.end());
    chosen = [options] {
      if (options->words.empty()) return fail("no program was given; see heddle run --help");
      return run(*options);
    };
  });
}

}  // namespace heddle::cli
