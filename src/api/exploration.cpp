#include "api/exploration.hpp"

#include <cstdlib>
#include <string_view>

#include "options/environment.hpp"
#include "options/trace_header.hpp"
#include "options/types.hpp"
#include "trace/file.hpp"
#include "trace/frames.hpp"

namespace heddle {
namespace {

using options::parse;

/// `wrong`: the rest of a sentence, as described in options/types.hpp.
void check(std::string_view field, const std::string& wrong) {
  if (!wrong.empty()) throw WrongUse("Options::" + std::string(field) + " " + wrong);
}

std::string list_of(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
  return list;
}

/// The only place that lists the fields of heddle::Options.
options::Values values_of(const Options& given) {
  options::Values values;
  check("strategy", parse(given.strategy, values.strategy));
  values.seed = given.seed;
  values.executions = given.executions;
  const double seconds = static_cast<double>(given.time.count()) * 1e-3;
  check("time", parse(options::print(seconds), values.seconds));
  values.steps_max = given.steps_max;
  values.time = given.time_policy == TimePolicy::patient ? engine::TimePolicy::patient : engine::TimePolicy::choice;
  values.choose_waiter = given.choose_waiter;
  values.spurious_wakeups = given.spurious_wakeups;
  check("races", parse(given.races, values.races));
  check("standard", parse(given.standard, values.standard));
  check("choices", options::parse_choices(given.choices, values));
  check("points", options::parse_points(given.points, values));
  check("suppressions", parse(given.suppressions, values.suppressions_file));
  values.weak_failures = given.weak_failures;
  values.outside_wait_ms = static_cast<std::uint32_t>(given.outside_wait.count());
  values.executor = given.executor == Executor::baton ? options::ExecutorKind::baton : options::ExecutorKind::carrier;
  check("trace_directory", parse(given.trace_directory, values.trace_directory));
  check("allow", parse(list_of(given.allow), values.allow));
  return values;
}

void obey_trace(const std::string& path, options::Values& values) {
  const LoadedTrace loaded = read_trace(path);
  if (!loaded.trace) throw WrongUse(loaded.error);
  if (const options::Wrong wrong = options::read_header(loaded.trace->header, values); !wrong.text.empty())
    throw WrongUse(place_of_option(loaded, path, wrong.option) + ": " + wrong.text);
}

}  // namespace

Exploration exploration_of(const Options& given, const CallSite& where) {
  Exploration exploration;
  exploration.name =
      given.name.empty() ? std::string(base_name(where.file)) + ":" + std::to_string(where.line) : given.name;
  exploration.given_name = given.name;
  exploration.is_quiet = given.output == Output::quiet;
  exploration.values = values_of(given);
  if (const std::string wrong = options::read_environment(exploration.values); !wrong.empty()) throw WrongUse(wrong);
  const char* const trace = ::secure_getenv("HEDDLE_REPLAY");
  exploration.replayed = trace != nullptr ? trace : "";
  if (!exploration.replayed.empty()) obey_trace(exploration.replayed, exploration.values);
  return exploration;
}

}  // namespace heddle
