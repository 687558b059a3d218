#include "options/table.hpp"

#include <cstdint>
#include <regex>

#include "options/types.hpp"

namespace heddle::options {
namespace {

using std::string_view;

template <auto kMember>
constexpr Field field() {
  return {[](Values& values, string_view text) { return parse(text, values.*kMember); },
          [](const Values& values) { return print(values.*kMember); }};
}

std::string set_steps_max(Values& values, string_view text) {
  constexpr std::uint64_t kMost = 1'000'000'000'000;  // some days of an execution
  std::uint64_t steps = 0;
  if (const std::string wrong = parse(text, steps); !wrong.empty()) return wrong;
  if (steps == 0) return "must be at least 1";
  if (steps > kMost) return "must be at most 1000000000000";
  values.steps_max = steps;
  return {};
}

std::string set_fail_on_output(Values& values, string_view text) {
  try {
    std::regex(text.begin(), text.end(), std::regex::ECMAScript | std::regex::multiline);
  } catch (const std::regex_error& error) {
    return "`" + std::string(text) + "` is not a regular expression (" + error.what() + ")";
  }
  return parse(text, values.fail_on_output);
}

std::string set_choices(Values& values, string_view text) { return parse_choices(text, values); }
std::string set_points(Values& values, string_view text) { return parse_points(text, values); }

constexpr Option kTable[] = {
    {.name = "strategy",
     .letter = "s",
     .argument = "STRATEGY",
     .help = "how to choose which operation goes next; see `heddle strategies`",
     .variable = "HEDDLE_STRATEGY",
     .goes_on = true,
     .field = field<&Values::strategy>()},
    {.name = "seed",
     .argument = "N",
     .help = "seed of the random choices; the same seed gives the same schedules",
     .variable = "HEDDLE_SEED",
     .field = field<&Values::seed>()},
    {.name = "executions",
     .letter = "n",
     .argument = "N",
     .help = "stop after this many executions",
     .variable = "HEDDLE_EXECUTIONS",
     .field = field<&Values::executions>()},
    {.name = "time",
     .letter = "t",
     .argument = "SECONDS",
     .help = "stop after this many seconds",
     .variable = "HEDDLE_TIME",
     .field = field<&Values::seconds>()},
    {.name = "until-bug",
     .flag = "yes",
     .help = "set no other bound: go on until a bug is found",
     .field = field<&Values::until_bug>()},
    {.name = "keep-going",
     .flag = "yes",
     .help = "go on after a bug, and report each different bug",
     .goes_on = true,
     .field = field<&Values::keep_going>()},
    {.name = "max-steps",
     .argument = "N",
     .help = "stop an execution that has not ended after this many steps (200000)",
     .header = "steps_max",
     .goes_on = true,
     .field = {set_steps_max, field<&Values::steps_max>().text}},
    {.name = "exit-codes",
     .argument = "CODES",
     .help = "exit codes that are not failures, separated by commas (0)",
     .header = "exits",
     .goes_on = true,
     .field = field<&Values::exits>()},
    {.name = "fail-on-output",
     .argument = "REGEX",
     .help = "fail an execution whose output matches this regular expression",
     .header = "fail_on_output",
     .goes_on = true,
     .field = {set_fail_on_output, field<&Values::fail_on_output>().text}},
    {.name = "oracle",
     .argument = "COMMAND",
     .help = "a command that reads the output as its input and fails if the output is wrong",
     .header = "oracle",
     .goes_on = true,
     .field = field<&Values::oracle>()},
    {.name = "same-output",
     .flag = "yes",
     .help = "the output must be the same in every execution",
     .goes_on = true,
     .field = field<&Values::same_output>()},
    {.name = "within-steps",
     .argument = "N",
     .help = "an execution must end within this many steps",
     .header = "within_steps",
     .goes_on = true,
     .field = field<&Values::steps_allowed>()},
    {.name = "allow",
     .argument = "NAMES",
     .help = "misuses to tolerate, by name, separated by commas",
     .variable = "HEDDLE_ALLOW",
     .header = "allow",
     .goes_on = true,
     .field = field<&Values::allow>()},
    {.name = "isolation",
     .argument = "auto|prefix|fork|rewind",
     .help = "how executions are kept apart. prefix: fork at the first choice; fork: fork before main; rewind: restore "
             "memory; auto (the default): rewind where that is sound and faster, else prefix",
     .goes_on = true,
     .field = field<&Values::isolation>()},
    {.name = "from-step",
     .argument = "N",
     .help = "explore only what comes after this many steps",
     .goes_on = true,
     .field = field<&Values::from_step>()},
    {.name = "patient",
     .flag = "patient",
     .help = "let time pass only when no operation can go on",
     .header = "time",
     .goes_on = true,
     .field = field<&Values::time>()},
    {.name = "", .header = "choose_waiter", .field = field<&Values::choose_waiter>()},
    {.name = "spurious-wakeups",
     .flag = "yes",
     .help = "a condition wait may wake up without a signal",
     .header = "spurious_wakeups",
     .goes_on = true,
     .field = field<&Values::spurious_wakeups>()},
    {.name = "races",
     .argument = "report|promote|ignore",
     .help = "in an instrumented program: report data races, make their places scheduling points, or ignore them",
     .variable = "HEDDLE_RACES",
     .header = "races",
     .goes_on = true,
     .field = field<&Values::races>()},
    {.name = "standard",
     .argument = "c++20|c++17|c++14|c++11",
     .help = "the standard that an instrumented program is written for: which stores a release sequence has (c++20)",
     .variable = "HEDDLE_STANDARD",
     .header = "standard",
     .goes_on = true,
     .field = field<&Values::standard>()},
    {.name = "choices",
     .argument = "auto|all|needed",
     .help =
         "at which scheduling points the strategy is asked: at all of them (all), not where no other thread can tell "
         "the difference (needed), or all in a systematic search and those needed otherwise (auto)",
     .variable = "HEDDLE_CHOICES",
     .header = "choices",
     .goes_on = true,
     .field = {set_choices, print_choices}},
    {.name = "points",
     .argument = "auto|sync|release|atomic|racy|all",
     .help = "which accesses of an instrumented program are scheduling points: none (sync), atomic ones (atomic), also "
             "those at racy places (racy), all of them (all), or some of these, as the program needs them (auto); in "
             "any other program: whether what comes after a release is a step of its own (release) or not (sync)",
     .variable = "HEDDLE_POINTS",
     .header = "points",
     .goes_on = true,
     .field = {set_points, print_points}},
    {.name = "promoted",
     .argument = "FILE",
     .help = "a file that keeps promoted places from one run to the next",
     .goes_on = true,
     .field = field<&Values::promoted_file>()},
    {.name = "suppressions",
     .argument = "FILE",
     .help = "a file of races that are not bugs, in the format of ThreadSanitizer: race:pattern, ...",
     .variable = "HEDDLE_SUPPRESSIONS",
     .goes_on = true,
     .field = field<&Values::suppressions_file>()},
    {.name = "weak-failures",
     .flag = "yes",
     .help = "a weak compare-exchange may fail although the value is the expected one",
     .header = "weak_failures",
     .goes_on = true,
     .field = field<&Values::weak_failures>()},
    {.name = "", .header = "executor", .field = field<&Values::executor>()},
    {.name = "trace-dir",
     .argument = "FOLDER",
     .help = "write traces to this folder",
     .variable = "HEDDLE_TRACE_DIR",
     .goes_on = true,
     .field = field<&Values::trace_directory>()},
    {.name = "list-schedules",
     .argument = "FILE",
     .help = "write a line for each execution to this file: number, steps, hash of the schedule, verdict",
     .field = field<&Values::list_file>()},
    {.name = "explain-search",
     .flag = "yes",
     .help = "show at the end how many executions each strategy had and what it found",
     .field = field<&Values::explain_search>()},
    {.name = "json",
     .argument = "FILE",
     .help = "write what was explored and found to this file, as JSON",
     .field = field<&Values::json_file>()},
    {.name = "free", .flag = "yes", .help = "run the program once, without heddle", .field = field<&Values::free>()},
};

}  // namespace

std::span<const Option> table() { return kTable; }

bool is_usual(const Option& option, const Values& values) {
  return option.field.text(values) == option.field.text(Values{});
}

}  // namespace heddle::options
