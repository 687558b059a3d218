#include "api/outcome.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <utility>

#include "api/environment.hpp"
#include "engine/modules.hpp"
#include "engine/recorder.hpp"
#include "report/build_id.hpp"
#include "report/failure.hpp"
#include "report/instrumented_code.hpp"
#include "report/summary.hpp"
#include "report/symbolizer.hpp"
#include "report/terminal.hpp"
#include "runtime/tsan/watch.hpp"
#include "trace/compare.hpp"
#include "trace/file.hpp"
#include "trace/frames.hpp"

namespace heddle {
namespace {

using HeaderOptions = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

std::string working_directory() {
  char path[4096];
  return getcwd(path, sizeof path) != nullptr ? path : "";
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  return list;
}

std::string read_option(const TraceHeader& header, std::string_view key) {
  for (const auto& [name, value] : header.options)
    if (name == key) return value;
  return {};
}

TraceHeader header_of(const Options& options, std::uint64_t execution) {
  TraceHeader header = header_of_process();
  header.exploration = options.name;
  header.strategy = options.strategy;
  header.seed = options.seed;
  header.execution = execution;
  header.options = {{"steps_max", std::to_string(options.steps_max)},
                    {"time", options.time_policy == TimePolicy::patient ? "patient" : "choice"},
                    {"choose_waiter", options.choose_waiter ? "yes" : "no"},
                    {"spurious_wakeups", options.spurious_wakeups ? "yes" : "no"},
                    {"races", options.races},
                    {"weak_failures", options.weak_failures ? "yes" : "no"},
                    {"executor", options.executor == Executor::baton ? "baton" : "carrier"}};
  if (!options.allow.empty()) header.options.emplace_back("allow", list_of(options.allow));
  return header;
}

/// `bank.1.trace`: numbered within the process, so that a test that is run again writes over what it wrote before.
std::string next_trace_path(const Options& options, const TraceHeader& header) {
  static int number = 0;
  std::string path(base_name(header.program));
  path += "." + std::to_string(++number) + ".trace";
  return options.trace_directory == "." ? path : options.trace_directory + "/" + path;
}

void write_trace_file(Trace& trace, const Options& options, Result& result) {
  if (options.trace_directory.empty()) return;
  const std::string path = next_trace_path(options, trace.header);
  const std::string error = write_trace(trace, path);
  if (error.empty())
    result.trace_path = path;
  else
    std::fprintf(stderr, "heddle: the trace could not be written: %s\n", error.c_str());
}

void add_failure(engine::Failure failure, const Options& options, const HeaderOptions& more, Result& result) {
  Trace& trace = failure.trace;
  trace.header = header_of(options, failure.execution);
  trace.header.options.insert(trace.header.options.end(), more.begin(), more.end());
  if (read_option(trace.header, "points").empty())
    trace.header.options.emplace_back("points", options.points == "auto" ? "racy" : options.points);
  report::symbolize(trace);
  result.bug_found = true;
  result.reproduced = failure.confirmed;
  if (!failure.confirmed && trace.verdict.kind != VerdictKind::memory_error) {
    trace.verdict.kind = VerdictKind::diverged;
    trace.verdict.set_text(engine::words_for_difference(failure));
  }
  result.verdict = name(trace.verdict.kind);
  result.message = trace.verdict.text();
  write_trace_file(trace, options, result);
  const report::Terminal terminal = report::terminal_of(2);
  report::FailureOptions how;
  how.color = terminal.color;
  how.width = terminal.width;
  how.confirmed = failure.confirmed;
  how.trace_path = result.trace_path;
  result.report = report::failure_report(trace, how);
}

/// The same program for a minute, from another seed; words of the shell are left to the reader.
std::string how_to_go_on() {
  std::string line = "HEDDLE_TIME=60 HEDDLE_SEED=2";
  for (const std::string& word : command_line()) line += " " + word;
  return line;
}

}  // namespace

TraceHeader header_of_process() {
  TraceHeader header;
  header.program = engine::path_of_program();
  std::vector<std::string> words = command_line();
  if (!words.empty()) header.arguments.assign(words.begin() + 1, words.end());
  header.directory = working_directory();
  header.build_id = report::build_id_of(header.program);
  return header;
}

Result result_of_interrupted(engine::Failure failure, const Options& options) {
  Result result;
  const HeaderOptions kept = failure.trace.header.options;
  add_failure(std::move(failure), options, kept, result);
  return result;
}

report::ProgressNumbers numbers_of(const engine::Progress& progress, const Options& options) {
  report::ProgressNumbers numbers;
  numbers.executions = progress.executions;
  numbers.steps = progress.steps;
  numbers.distinct_schedules = progress.distinct_schedules;
  numbers.distinct_is_exact = progress.distinct_is_exact;
  numbers.novelty = progress.novelty;
  numbers.elapsed_seconds = static_cast<double>(progress.elapsed_ns) * 1e-9;
  if (options.executions != 0) numbers.executions_max = options.executions;
  if (options.time.count() != 0) numbers.seconds_max = static_cast<double>(options.time.count()) * 1e-3;
  return numbers;
}

Result result_of(engine::Findings findings, const Options& options, const report::Suppressions& suppressions) {
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
  result.suppressed_races = suppressions.races();
  if (!findings.failures.empty()) {
    const HeaderOptions described = findings.failures.front().trace.header.options;
    add_failure(std::move(findings.failures.front()), options, described, result);
    return result;
  }
  if (findings.first.is_failure()) {
    result.bug_found = true;
    result.verdict = name(VerdictKind::diverged);
    result.message = "the program is not deterministic: its very first run ended with `" +
                     std::string(findings.first.text()) + "`, and none of the " + std::to_string(result.executions) +
                     " that followed did; something that the first run left behind hides it";
    result.report = "heddle: " + options.name + ": " + result.message + "\n";
    return result;
  }
  result.verdict = name(VerdictKind::passed);
  report::Summary summary;
  summary.name = options.name;
  summary.strategy = options.strategy;
  summary.seed = options.seed;
  summary.totals = numbers_of(findings.totals, options);
  summary.cut = findings.cut;
  summary.unanswered = findings.unanswered;
  summary.last_unanswered = findings.last_unanswered.text();
  summary.steps_max = options.steps_max;
  summary.repeated = report::lines_of(engine::repeated_places(findings.last_cut));
  summary.points = findings.points;
  if (runtime::watch.is_instrumented())
    summary.instrumented = report::instrumented_code_text(report::instrumented_code_of(engine::paths_of_modules()));
  summary.suppressed = suppressions.summary();
  summary.explored = findings.explored;
  if (!findings.finished) summary.go_on = how_to_go_on();
  result.report = report::summary_text(summary, report::terminal_of(2).color);
  return result;
}

Options options_to_replay(const std::string& path, const Options& given) {
  const LoadedTrace loaded = read_trace(path);
  if (!loaded.trace) throw WrongUse(loaded.error);
  const TraceHeader& header = loaded.trace->header;
  Options options = given;
  options.strategy = header.strategy;
  options.seed = header.seed;
  const std::string steps = read_option(header, "steps_max");
  const char* const end = steps.data() + steps.size();
  if (!steps.empty() && std::from_chars(steps.data(), end, options.steps_max).ptr != end)
    throw WrongUse(path + ": steps_max is `" + steps + "`, which is not a number");
  options.time_policy = read_option(header, "time") == "patient" ? TimePolicy::patient : TimePolicy::choice;
  options.choose_waiter = read_option(header, "choose_waiter") != "no";
  options.spurious_wakeups = read_option(header, "spurious_wakeups") == "yes";
  if (const std::string races = read_option(header, "races"); !races.empty()) options.races = races;
  if (const std::string points = read_option(header, "points"); !points.empty()) options.points = points;
  options.weak_failures = read_option(header, "weak_failures") == "yes";
  options.executor = read_option(header, "executor") == "baton" ? Executor::baton : Executor::carrier;
  options.allow = names_in(read_option(header, "allow"));
  return options;
}

Result replay_file(engine::Explorer& explorer, const std::string& path, const Options& options) {
  Result result;
  const LoadedTrace loaded = read_trace(path);
  if (!loaded.trace) throw WrongUse(loaded.error);
  const Trace& expected = *loaded.trace;
  if (expected.header.exploration != options.name) {
    result.verdict = name(VerdictKind::passed);
    result.report = "heddle: " + options.name + " passed over: the trace is of " + expected.header.exploration + "\n";
    return result;
  }
  runtime::watch.promoted().add_all(read_option(expected.header, "promoted"));
  runtime::watch.ignored().begin();
  runtime::watch.ignored().add_all(read_option(expected.header, "ignored_races"));
  engine::Failure again = explorer.replay(expected.schedule(), expected.verdict.kind != VerdictKind::cut);
  Trace& actual = again.trace;
  actual.header = expected.header;
  report::symbolize(actual);
  result.executions = 1;
  result.trace_path = path;
  const std::optional<Difference> difference =
      expected.has_choices_only() ? std::nullopt : first_difference(expected, actual);
  if (difference) {
    result.bug_found = true;
    result.verdict = name(VerdictKind::diverged);
    result.message = difference->text;
    result.report = "heddle: the replay of " + path + " went another way\n  " + difference->text + "\n  " +
                    difference->cause + "\n";
    return result;
  }
  const report::Terminal terminal = report::terminal_of(2);
  report::FailureOptions how;
  how.color = terminal.color;
  how.width = terminal.width;
  how.occasion = report::Occasion::replayed;
  how.confirmed = true;
  how.trace_path = path;
  result.bug_found = actual.verdict.is_failure();
  result.reproduced = true;
  result.verdict = name(actual.verdict.kind);
  result.message = actual.verdict.text();
  result.report = report::failure_report(actual, how);
  return result;
}

}  // namespace heddle
