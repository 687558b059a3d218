// `heddle run [options] -- PROGRAM ARGUMENTS…`: explores a whole program that nobody changed.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.hpp"
#include "cli/command.hpp"
#include "cli/launch.hpp"
#include "cli/run.hpp"
#include "cli/run_json.hpp"
#include "cli/target.hpp"
#include "model/misuse.hpp"
#include "report/build_id.hpp"
#include "report/failure.hpp"
#include "report/instrumented_code.hpp"
#include "report/progress.hpp"
#include "report/summary.hpp"
#include "report/suppressions.hpp"
#include "report/symbolizer.hpp"
#include "report/terminal.hpp"
#include "report/text.hpp"
#include "strategy/table.hpp"
#include "trace/compare.hpp"
#include "trace/file.hpp"
#include "trace/frames.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

struct RunOptions {
  std::vector<std::string> words;  // the program and its arguments
  std::string typed;               // the program, as the user calls it
  std::string strategy = "portfolio";
  std::uint64_t seed = 1;
  std::uint64_t executions = 0;
  double seconds = 0;
  std::uint64_t steps_max = 200'000;
  std::uint64_t steps_allowed = 0;
  bool until_bug = false;
  bool keep_going = false;
  bool free = false;
  std::string isolation = "auto";
  std::uint64_t from_step = 0;
  bool patient = false;
  bool spurious = false;
  std::string races = "report";
  std::string points = "auto";
  bool weak_failures = false;
  std::string promoted;       // the places themselves
  std::string promoted_file;  // where they are kept
  std::string suppressions;   // a file of them
  std::string ignored_races;  // of a replay: those that were suppressed
  bool same_output = false;
  std::vector<int> exits;
  std::string fail_on_output;
  std::string oracle;
  std::string allow;
  std::string trace_directory = ".";
  std::string list;
  bool explain_search = false;
  std::string json;  // a file
};

constexpr std::uint64_t kUsualExecutions = 10'000;
constexpr double kUsualSeconds = 10;

void copy_text(char* to, std::size_t size, const std::string& text, const char* what) {
  if (text.size() >= size) throw CLI::ValidationError(what, fmt::format("is longer than {} characters", size - 1));
  std::memcpy(to, text.c_str(), text.size() + 1);
}

/// Without a bound of the user's: until something is found, but no longer than a person likes to wait.
void set_budget(const RunOptions& options, preload::Request& request) {
  const bool bounded = options.executions != 0 || options.seconds != 0;
  request.executions = bounded || options.until_bug ? options.executions : kUsualExecutions;
  const double seconds = bounded || options.until_bug ? options.seconds : kUsualSeconds;
  request.time_ns = static_cast<std::uint64_t>(seconds * 1e9);
  request.failures = options.keep_going ? 0 : 1;
}

void set_request(const RunOptions& options, preload::Request& request) {
  copy_text(request.strategy, sizeof request.strategy, options.strategy, "--strategy");
  copy_text(request.fail_on_output, sizeof request.fail_on_output, options.fail_on_output, "--fail-on-output");
  copy_text(request.oracle, sizeof request.oracle, options.oracle, "--oracle");
  copy_text(request.allow, sizeof request.allow, options.allow, "--allow");
  copy_text(request.promoted, sizeof request.promoted, options.promoted, "--promoted");
  copy_text(request.ignored_races, sizeof request.ignored_races, options.ignored_races, "the suppressed races");
  set_budget(options, request);
  request.isolation = options.isolation == "fork"     ? preload::IsolationMode::fork
                      : options.isolation == "rewind" ? preload::IsolationMode::rewind
                      : options.isolation == "prefix" ? preload::IsolationMode::prefix
                                                      : preload::IsolationMode::automatic;
  request.from_step = options.from_step;
  request.seed = options.seed;
  request.steps_max = options.steps_max;
  request.steps_allowed = options.steps_allowed;
  request.patient = options.patient;
  request.spurious_wakeups = options.spurious;
  request.races = engine::races_named(options.races);
  request.refines = options.points == "auto";
  request.points = request.refines ? engine::Points::racy : engine::points_named(options.points);
  request.weak_failures = options.weak_failures;
  request.same_output = options.same_output;
  if (options.exits.empty()) return;
  std::fill(std::begin(request.accepted_exits), std::end(request.accepted_exits), 0);
  for (const int code : options.exits)
    request.accepted_exits[static_cast<std::size_t>(code) / 64] |= std::uint64_t{1} << (code % 64);
}

report::ProgressNumbers numbers_of(const preload::Channel& channel) {
  report::ProgressNumbers numbers;
  numbers.executions = channel.counts.executions;
  numbers.steps = channel.counts.steps;
  numbers.distinct_schedules = channel.counts.distinct_schedules;
  numbers.distinct_is_exact = channel.counts.distinct_is_exact;
  numbers.novelty = channel.counts.novelty;
  numbers.elapsed_seconds = static_cast<double>(channel.counts.elapsed_ns) * 1e-9;
  if (channel.request.executions != 0) numbers.executions_max = channel.request.executions;
  if (channel.request.time_ns != 0) numbers.seconds_max = static_cast<double>(channel.request.time_ns) * 1e-9;
  return numbers;
}

std::string exits_text(const RunOptions& options) {
  std::string text;
  for (const int code : options.exits) text += (text.empty() ? "" : ",") + std::to_string(code);
  return text;
}

/// Of --same-output: a replay has only one output, and is compared with what the same schedule wrote before.
std::string mark_of(const std::string& output) {
  std::uint64_t hash = output.size();
  for (const char c : output) hash = mix(hash ^ static_cast<unsigned char>(c));
  return fmt::format("{:016x}", hash);
}

std::string read_option(const TraceHeader& header, std::string_view key) {
  for (const auto& [name, value] : header.options)
    if (name == key) return value;
  return {};
}

TraceHeader header_of(const RunOptions& options, const FoundFailure& found) {
  TraceHeader header;
  header.program = options.words[0];
  header.arguments.assign(options.words.begin() + 1, options.words.end());
  header.directory = fs::current_path().string();
  header.build_id = report::build_id_of(header.program);
  header.exploration = "run";
  header.strategy = options.strategy;
  header.seed = options.seed;
  header.execution = found.execution;
  header.options = {{"way", "run"},
                    {"steps_max", std::to_string(options.steps_max)},
                    {"time", options.patient ? "patient" : "choice"},
                    {"spurious_wakeups", options.spurious ? "yes" : "no"},
                    {"races", options.races},
                    {"weak_failures", options.weak_failures ? "yes" : "no"}};
  if (read_option(found.trace.header, "points").empty())
    header.options.emplace_back("points", options.points == "auto" ? "racy" : options.points);
  header.options.insert(header.options.end(), found.trace.header.options.begin(), found.trace.header.options.end());
  if (!options.exits.empty()) header.options.emplace_back("exits", exits_text(options));
  if (options.steps_allowed != 0) header.options.emplace_back("within_steps", std::to_string(options.steps_allowed));
  if (!options.fail_on_output.empty()) header.options.emplace_back("fail_on_output", options.fail_on_output);
  if (!options.oracle.empty()) header.options.emplace_back("oracle", options.oracle);
  if (!options.allow.empty()) header.options.emplace_back("allow", options.allow);
  if (options.same_output) header.options.emplace_back("output_mark", mark_of(found.output));
  return header;
}

std::string trace_path(const RunOptions& options, std::size_t number) {
  const std::string name = fmt::format("{}.{}.trace", base_name(options.words[0]), number);
  return options.trace_directory == "." ? name : options.trace_directory + "/" + name;
}

std::string indented(const std::string& text) {
  constexpr std::size_t kLinesMax = 40;
  std::string result;
  std::size_t lines = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (++lines > kLinesMax) return result + "    …\n";
    result += "    " + text.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return result;
}

std::string written(const FoundFailure& found) {
  std::string text;
  if (!found.output.empty()) text += "  output\n" + indented(found.output);
  if (!found.errors.empty()) text += "  standard error\n" + indented(found.errors);
  return text;
}

/// Returns its path; nothing if there is nothing to be replayed.
std::string keep(FoundFailure& found, const RunOptions& options, std::size_t number) {
  found.trace.header = header_of(options, found);
  if (found.trace.operations.empty()) return {};
  report::symbolize(found.trace);
  const std::string path = trace_path(options, number);
  const std::string error = write_trace(found.trace, path);
  if (error.empty()) return path;
  std::fprintf(stderr, "heddle: the trace could not be written: %s\n", error.c_str());
  return {};
}

/// Returns where its trace is.
std::string report_failure(FoundFailure& found, const RunOptions& options, std::size_t number) {
  const report::Terminal terminal = report::terminal_of(STDERR_FILENO);
  report::FailureOptions how;
  how.color = terminal.color;
  how.width = terminal.width;
  how.confirmed = found.confirmed;
  how.trace_path = keep(found, options, number);
  std::fputs((report::failure_report(found.trace, how) + written(found)).c_str(), stderr);
  return how.trace_path;
}

/// Of --same-output: the execution that the failing one is compared with.
void report_first(FoundFailure& first, const RunOptions& options, std::size_t number) {
  std::fprintf(stderr, "\n  first   %s: what the first execution did, which wrote\n%s",
               keep(first, options, number).c_str(), written(first).c_str());
}

/// The same again with another seed, for longer.
std::string go_on_line(const RunOptions& options) {
  std::string line = fmt::format("heddle run --time 60 --seed {}", options.seed + 1);
  const RunOptions usual;
  const auto add = [&line](bool is_unusual, std::string_view name, const std::string& value) {
    if (is_unusual) line += fmt::format(" --{}{}{}", name, value.empty() ? "" : " ", value);
  };
  add(options.strategy != usual.strategy, "strategy", report::shell_word(options.strategy));
  add(options.keep_going, "keep-going", "");
  add(options.steps_max != usual.steps_max, "max-steps", std::to_string(options.steps_max));
  add(!options.exits.empty(), "exit-codes", exits_text(options));
  add(!options.fail_on_output.empty(), "fail-on-output", report::shell_word(options.fail_on_output));
  add(!options.oracle.empty(), "oracle", report::shell_word(options.oracle));
  add(options.same_output, "same-output", "");
  add(options.steps_allowed != 0, "within-steps", std::to_string(options.steps_allowed));
  add(!options.allow.empty(), "allow", report::shell_word(options.allow));
  add(options.isolation != usual.isolation, "isolation", options.isolation);
  add(options.from_step != 0, "from-step", std::to_string(options.from_step));
  add(options.patient, "patient", "");
  add(options.spurious, "spurious-wakeups", "");
  add(options.races != "report", "races", options.races);
  add(options.points != usual.points, "points", options.points);
  add(options.weak_failures, "weak-failures", "");
  add(!options.promoted_file.empty(), "promoted", options.promoted_file);
  add(!options.suppressions.empty(), "suppressions", report::shell_word(options.suppressions));
  add(options.trace_directory != usual.trace_directory, "trace-dir", report::shell_word(options.trace_directory));
  line += " -- " + report::shell_word(options.typed);
  for (std::size_t i = 1; i < options.words.size(); ++i) line += " " + report::shell_word(options.words[i]);
  return line;
}

/// How much of an instrumented program is; nothing if it is not.
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
  if (channel.nothing_to_choose && channel.stuck == 0 && bugs == 0) {
    std::fprintf(stderr,
                 "heddle: %s: it ran once and ended well; it never starts a second thread, so there is nothing to "
                 "explore\n",
                 name.c_str());
    return;
  }
  report::Summary summary;
  summary.name = stopped ? name + ": stopped" : name;
  summary.strategy = options.strategy;
  summary.seed = options.seed;
  summary.bugs = bugs;
  summary.totals = numbers_of(channel);
  summary.cut = channel.counts.cut;
  summary.steps_max = options.steps_max;
  summary.repeated = report::lines_of(repeated_places(channel));
  summary.points = channel.points_text;
  summary.instrumented = report::instrumented_code_text(instrumented_code(channel));
  summary.suppressed = suppressions.summary();
  if (channel.finished) summary.explored = channel.text;
  if (!channel.finished) summary.go_on = go_on_line(options);
  std::fputs(report::summary_text(summary, report::terminal_of(STDERR_FILENO).color).c_str(), stderr);
}

/// The native stack of whoever held everything up.
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

void report_notes(const preload::Channel& channel) {
  if (channel.started_child)
    std::fputs("  note    the program starts other processes: they run free, outside heddle's control\n", stderr);
  if (channel.chosen_text[0] != '\0' && !channel.nothing_to_choose)
    std::fprintf(stderr, "  apart   %s\n", channel.chosen_text);
  if (channel.isolation_text[0] != '\0') std::fprintf(stderr, "  note    %s\n", channel.isolation_text);
  if (channel.stuck != 0)
    std::fprintf(stderr, "  note    control is partial: %s%s\n", channel.stuck_text, stuck_at(channel).c_str());
}

int fault(const std::string& text) {
  std::fprintf(stderr, "heddle: this is a fault in heddle itself: %s\n", text.c_str());
  return kFault;
}

int run_free(const RunOptions& options) {
  std::vector<char*> words;
  for (const std::string& word : options.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(words[0], words.data());
  return fail(fmt::format("cannot run {}: {}", options.words[0], std::strerror(errno)));
}

void write_promoted(const RunOptions& options, const preload::Channel& channel) {
  if (options.promoted_file.empty() || channel.promoted[0] == '\0') return;
  std::ofstream file(options.promoted_file);
  file << report::build_id_of(options.words[0]) << "\n" << channel.promoted << "\n";
  if (!file.flush()) std::fprintf(stderr, "heddle: cannot write %s\n", options.promoted_file.c_str());
}

int explore(const RunOptions& options) {
  Launch launch;
  set_request(options, launch.request());
  report::Suppressions suppressions;
  if (!options.suppressions.empty()) {
    if (const std::string wrong = suppressions.read(options.suppressions, options.words[0]); !wrong.empty())
      return fail(wrong);
    if (const std::string remark = suppressions.remark(); !remark.empty())
      std::fprintf(stderr, "heddle: %s\n", remark.c_str());
    launch.answer_with([&suppressions](Trace& race) {
      report::symbolize(race);
      return suppressions.suppresses(race);
    });
  }
  if (!options.list.empty()) {
    const std::string error = launch.list_to(options.list);
    if (!error.empty()) return fail(error);
  }
  report::Progress line;
  LaunchResult result = launch.run(options.words, [&] { line.update(numbers_of(launch.channel())); });
  line.clear();
  if (!result.error.empty()) return fail(result.error);
  if (!result.fault.empty()) return fault(result.fault);
  RunSummary summary{options.words[0], options.strategy, options.seed, {}, {}, {}, suppressions.races()};
  for (std::size_t i = 0; i < result.failures.size(); ++i) {
    FoundFailure& found = result.failures[i];
    if (!found.trace.verdict.is_failure()) {
      report_first(found, options, i + 1);
      continue;
    }
    summary.verdicts.emplace_back(name(found.trace.verdict.kind));
    summary.traces.push_back(report_failure(found, options, i + 1));
  }
  const std::size_t bugs = summary.verdicts.size();
  write_promoted(options, launch.channel());
  if (bugs == 0 || options.keep_going)
    report_end(options, launch.channel(), bugs, result.stopped, suppressions);
  else if (!suppressions.summary().empty())
    std::fprintf(stderr, "  races   %s\n", suppressions.summary().c_str());
  report_notes(launch.channel());
  if (options.explain_search) explain_search(launch.channel());
  if (!options.json.empty()) {
    summary.instrumented = instrumented_code(launch.channel());
    if (const std::string wrong = write_json(summary, launch.channel(), options.json); !wrong.empty())
      return fail(wrong);
  }
  return bugs == 0 ? kNothingFound : kBugFound;
}

/// What the trace says about how the program was run.
RunOptions options_of(const TraceHeader& header, const std::vector<std::string>& words) {
  RunOptions options;
  options.words = words;
  options.strategy = header.strategy;
  options.seed = header.seed;
  options.steps_max = std::stoull(read_option(header, "steps_max"));
  options.patient = read_option(header, "time") == "patient";
  options.spurious = read_option(header, "spurious_wakeups") == "yes";
  if (const std::string races = read_option(header, "races"); !races.empty()) options.races = races;
  if (const std::string points = read_option(header, "points"); !points.empty()) options.points = points;
  options.weak_failures = read_option(header, "weak_failures") == "yes";
  options.promoted = read_option(header, "promoted");
  options.ignored_races = read_option(header, "ignored_races");
  options.fail_on_output = read_option(header, "fail_on_output");
  options.oracle = read_option(header, "oracle");
  options.allow = read_option(header, "allow");
  if (const std::string bound = read_option(header, "within_steps"); !bound.empty())
    options.steps_allowed = std::stoull(bound);
  std::istringstream exits(read_option(header, "exits"));
  for (std::string code; std::getline(exits, code, ',');) options.exits.push_back(std::stoi(code));
  return options;
}

std::string all_misuses() {
  std::string text = "there are";
  for (unsigned i = 0; i < static_cast<unsigned>(model::Misuse::kCount); ++i)
    text += (i == 0 ? " " : ", ") + std::string(name(static_cast<model::Misuse>(i)));
  return text;
}

/// What is wrong with the options; empty if nothing is.
std::string objection(const RunOptions& options) {
  if (const std::string& first = options.words[0]; first.size() > 1 && first[0] == '-')
    return fmt::format("there is no option {}; see heddle run --help", first);
  if (const strategy::Parsed parsed = strategy::parse(options.strategy); !parsed.strategy) return parsed.error;
  std::string_view unknown;
  model::misuses_in(options.allow, unknown);
  if (!unknown.empty()) return fmt::format("there is no misuse `{}` to allow; {}", unknown, all_misuses());
  if (std::error_code ignored; !fs::is_directory(options.trace_directory, ignored))
    return fmt::format("there is no folder {} for the traces", options.trace_directory);
  try {
    std::regex(options.fail_on_output, std::regex::ECMAScript | std::regex::multiline);
  } catch (const std::regex_error& error) {
    return fmt::format("--fail-on-output `{}` is no regular expression ({})", options.fail_on_output, error.what());
  }
  return {};
}

/// Places are of one build: those of another are left alone.
std::string read_promoted(const RunOptions& options) {
  std::ifstream file(options.promoted_file);
  std::string build, places;
  if (!options.promoted_file.empty() && std::getline(file, build) && std::getline(file, places) &&
      build == report::build_id_of(options.words[0]))
    return places;
  return {};
}

int run(RunOptions options) {
  if (const std::string wrong = objection(options); !wrong.empty()) return fail(wrong);
  const Target target = find_target(options.words[0]);
  if (!target.error.empty()) return fail(target.error);
  options.typed = std::exchange(options.words[0], target.path);
  options.promoted = read_promoted(options);
  if (options.suppressions.empty()) options.suppressions = report::suppressions_in(std::getenv("TSAN_OPTIONS"));
  return options.free ? run_free(options) : explore(options);
}

void describe_budget(CLI::App& command, RunOptions& options) {
  command.add_option("-s,--strategy", options.strategy, "how to choose who goes next; see `heddle strategies`");
  command.add_option("--seed", options.seed, "of the random choices; the same seed gives the same schedules");
  command.add_option("-n,--executions", options.executions, "stop after so many");
  command.add_option("-t,--time", options.seconds, "stop after so many seconds")->check(CLI::Range(0.0, 1e9));
  command.add_flag("--until-bug", options.until_bug, "no other bound: go on until something is found");
  command.add_flag("--keep-going", options.keep_going, "go on after a bug, and report each different one");
  command.add_option("--max-steps", options.steps_max, "end an execution that has not ended after so many steps")
      ->check([](const std::string& text) { return text == "0" ? "must be at least 1" : ""; });
}

void describe_rules(CLI::App& command, RunOptions& options) {
  command.add_option("--exit-codes", options.exits, "codes that are no failure (0)")
      ->delimiter(',')
      ->check(CLI::Range(0, 255));
  command.add_option("--fail-on-output", options.fail_on_output, "a regular expression that the output must not match");
  command.add_option("--oracle", options.oracle,
                     "a command that gets the output as its input and fails if it is wrong");
  command.add_flag("--same-output", options.same_output, "the output must be the same in every execution");
  command.add_option("--within-steps", options.steps_allowed, "an execution must end within so many steps");
  command.add_option("--allow", options.allow, "misuse that is tolerated, by name, with commas");
}

}  // namespace

bool is_of_run(const TraceHeader& header) { return read_option(header, "way") == "run"; }

int replay_run(const Trace& expected, const std::string& file, const std::vector<std::string>& words) {
  Launch launch;
  const Target target = find_target(words[0]);
  if (!target.error.empty()) return fail(target.error);
  set_request(options_of(expected.header, words), launch.request());
  launch.request().replay = true;
  launch.request().replay_is_fair = expected.verdict.kind != VerdictKind::cut;
  launch.set_schedule(expected.schedule());
  LaunchResult result = launch.run(words, [] {});
  if (!result.error.empty()) return fail(result.error);
  if (!result.fault.empty() || result.failures.empty()) return fault(result.fault);
  FoundFailure& again = result.failures.front();
  again.trace.header = expected.header;
  if (!again.trace.verdict.is_failure() && read_option(expected.header, "output_mark") == mark_of(again.output))
    again.trace.verdict = expected.verdict;
  report::symbolize(again.trace);
  if (const auto difference = first_difference(expected, again.trace)) {
    std::fprintf(stderr, "heddle: the replay of %s went another way\n  %s\n  %s\n", file.c_str(),
                 difference->text.c_str(), difference->cause.c_str());
    return kBugFound;
  }
  const report::Terminal terminal = report::terminal_of(STDERR_FILENO);
  report::FailureOptions how;
  how.color = terminal.color;
  how.width = terminal.width;
  how.occasion = report::Occasion::replayed;
  how.confirmed = true;
  how.trace_path = file;
  std::fputs((report::failure_report(again.trace, how) + written(again)).c_str(), stderr);
  return again.trace.verdict.is_failure() ? kBugFound : kNothingFound;
}

void add_run(CLI::App& app, const std::vector<std::string>& program, Action& chosen) {
  const auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "explore a whole program, as it is");
  command->prefix_command();
  describe_budget(*command, *options);
  describe_rules(*command, *options);
  command
      ->add_option("--isolation", options->isolation,
                   "prefix: fork where the first choice is; fork: before main; rewind: put memory back; auto (the "
                   "default): rewind where that is sound and pays, else prefix")
      ->check(CLI::IsMember({"auto", "prefix", "fork", "rewind"}));
  command->add_option("--from-step", options->from_step, "explore only what comes after so many steps");
  command->add_flag("--patient", options->patient, "time passes only when nobody else can go on");
  command->add_flag("--spurious-wakeups", options->spurious, "a condition wait may come back for no reason");
  command
      ->add_option("--races", options->races,
                   "of an instrumented program: report them, promote their places to points, or ignore them")
      ->check(CLI::IsMember({"report", "promote", "ignore"}));
  command
      ->add_option("--points", options->points,
                   "which of its accesses are points: none (sync), atomic ones, and those at racy places, all, or one "
                   "after the other as long as that shows something new (auto)")
      ->check(CLI::IsMember({"auto", "sync", "atomic", "racy", "all"}));
  command->add_option("--promoted", options->promoted_file,
                      "a file that keeps promoted places from one run to the next");
  command->add_option("--suppressions", options->suppressions,
                      "a file of races that are no bugs, as ThreadSanitizer takes them: race:pattern, ...");
  command->add_flag("--weak-failures", options->weak_failures, "a weak compare-exchange may fail for no reason");
  command->add_option("--trace-dir", options->trace_directory, "where traces are written");
  command->add_option("--list-schedules", options->list,
                      "write a line for each execution: number, steps, hash of the schedule, verdict");
  command->add_flag("--explain-search", options->explain_search,
                    "show at the end how the executions were spent, and what each strategy found");
  command->add_option("--json", options->json, "write what was explored and found to this file, for other programs");
  command->add_flag("--free", options->free, "only run the program, as if heddle were not there");
  command->footer(
      "heddle run [OPTIONS] [--] PROGRAM [ARGUMENTS...]\n"
      "Without a bound it stops after 10,000 executions or 10 seconds. Ctrl-C stops it and reports.\n"
      "Exit codes: 0 nothing found, 1 wrong use, 2 a bug was found, 3 a fault in heddle itself.");
  command->callback([command, options, program, &chosen] {
    options->words = command->remaining();
    options->words.insert(options->words.end(), program.begin(), program.end());
    chosen = [options] {
      if (options->words.empty()) return fail("which program? See heddle run --help");
      return run(*options);
    };
  });
}

}  // namespace heddle::cli
