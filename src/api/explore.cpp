// heddle::explore: one exploration of a body in the calling process.
#include "heddle/heddle.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "api/environment.hpp"
#include "api/outcome.hpp"
#include "api/sanitizer.hpp"
#include "api/suppressed.hpp"
#include "engine/baton.hpp"
#include "engine/carrier.hpp"
#include "engine/explorer.hpp"
#include "engine/in_process.hpp"
#include "engine/pardoned.hpp"
#include "model/misuse.hpp"
#include "report/progress.hpp"
#include "runtime/ending.hpp"
#include "runtime/front.hpp"
#include "runtime/tsan/watch.hpp"
#include "strategy/table.hpp"

namespace heddle {
namespace {

std::atomic<bool> exploring{false};

/// One exploration at a time in a process.
class Exclusive {
 public:
  Exclusive() {
    if (is_exploring())
      throw WrongUse(
          "heddle::explore was called inside the body of another exploration; use heddle::choose there, or "
          "make it a test of its own");
    if (exploring.exchange(true))
      throw WrongUse("another thread is exploring already; run one exploration after the other, or in two processes");
  }
  ~Exclusive() { exploring = false; }
  Exclusive(const Exclusive&) = delete;
  Exclusive& operator=(const Exclusive&) = delete;
};

/// Kept for the life of the process, as their threads are.
engine::Executor& executor_for(Executor kind) {
  static auto* const carrier = new engine::Carrier;
  static auto* const baton = new engine::Baton;
  if (kind == Executor::baton) return *baton;
  return *carrier;
}

std::string all_misuses() {
  std::string text = "there are";
  for (unsigned i = 0; i < static_cast<unsigned>(model::Misuse::kCount); ++i)
    text.append(i == 0 ? " " : ", ").append(name(static_cast<model::Misuse>(i)));
  return text;
}

model::MisuseSet tolerated(const std::vector<std::string>& names) {
  model::MisuseSet allowed;
  for (const std::string& given : names) {
    const model::Misuse misuse = model::misuse_named(given);
    if (misuse == model::Misuse::kCount)
      throw WrongUse("there is no misuse `" + given + "` to allow; " + all_misuses());
    allowed.add(misuse);
  }
  return allowed;
}

engine::Standard standard_of(const std::string& name) {
  const engine::Standard standard = engine::standard_named(name);
  if (standard == engine::Standard::kCount)
    throw WrongUse("there is no standard `" + name + "`; there are c++11, c++14, c++17 and c++20");
  return standard;
}

engine::Races races_of(const std::string& name) {
  const engine::Races races = engine::races_named(name);
  if (races == engine::Races::kCount)
    throw WrongUse("there is no way `" + name + "` to treat races; there are report, promote and ignore");
  return races;
}

engine::Points points_of(const std::string& name) {
  if (name == "auto") return engine::Points::racy;  // where nothing is refined
  const engine::Points points = engine::points_named(name);
  if (points == engine::Points::kCount)
    throw WrongUse("there are no points `" + name + "`; there are auto, sync, atomic, racy and all");
  return points;
}

engine::Settings settings_of(const Options& options) {
  engine::Settings settings;
  settings.steps_max = options.steps_max;
  settings.time = options.time_policy == TimePolicy::patient ? engine::TimePolicy::patient : engine::TimePolicy::choice;
  settings.choose_waiter = options.choose_waiter;
  settings.spurious_wakeups = options.spurious_wakeups;
  settings.races = races_of(options.races);
  settings.standard = standard_of(options.standard);
  settings.points = points_of(options.points);
  settings.weak_failures = options.weak_failures;
  settings.allow = tolerated(options.allow);
  settings.outside_wait_ms = static_cast<std::uint32_t>(options.outside_wait.count());
  return settings;
}

/// The child of a fork in a body runs free: it is not the exploration, and must not go on as if it were.
void leave_children_alone() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { engine::control = {}; });
  (void)registered;
}

/// The unwinder sets up its tables with the first exception of the process. Were that one inside a body, it would be an
/// event of one execution only.
void throw_once() {
  static const bool thrown = [] {
    try {
      throw 0;
    } catch (int) {
    }
    return true;
  }();
  (void)thrown;
}

void call_body(void* body) { (*static_cast<const Body*>(body))(); }

Result explore_schedules(engine::Explorer& explorer, const Options& options, const Suppressed& suppressed) {
  strategy::Parsed parsed = strategy::parse(options.strategy);
  if (!parsed.strategy) throw WrongUse(parsed.error);
  if (options.executions == 0 && options.time.count() == 0)
    throw WrongUse("an exploration without a bound: set Options::executions or Options::time");
  std::optional<report::Progress> line;
  if (options.output != Output::quiet) line.emplace();
  const engine::Budget budget{options.executions, static_cast<std::uint64_t>(options.time.count()) * 1'000'000};
  engine::Findings findings =
      explorer.explore(*parsed.strategy, budget, options.seed, [&](const engine::Progress& progress) {
        if (line) line->update(numbers_of(progress, options));
        return true;
      });
  line.reset();
  return result_of(std::move(findings), options, suppressed.suppressions());
}

}  // namespace

BugFound::BugFound(Result result) : std::runtime_error("\n" + result.report), result_(std::move(result)) {}

Result try_explore(const Body& body, const Options& given, CallSite where) {
  const Exclusive exclusive;
  leave_children_alone();
  throw_once();
  Options options = with_environment(given, where);
  const std::string replayed = trace_to_replay();
  if (!replayed.empty()) options = options_to_replay(replayed, options);
  runtime::front.set_body(call_body, const_cast<Body*>(&body));
  const runtime::TerminateGuard guard;
  engine::InProcess isolation(executor_for(options.executor), runtime::front, settings_of(options));
  Suppressed suppressed(options);
  engine::Pardoned pardoned(isolation, suppressed);
  engine::Explorer explorer(suppressed.any() ? static_cast<engine::Isolation&>(pardoned) : isolation);
  if (options.points == "auto" && runtime::watch.is_instrumented())
    explorer.refine(runtime::levels_of_points(races_of(options.races)), engine::Points::racy);
  const SanitizerWatch watch(explorer, options, !replayed.empty());
  return replayed.empty() ? explore_schedules(explorer, options, suppressed) : replay_file(explorer, replayed, options);
}

Result explore(const Body& body, const Options& options, CallSite where) {
  Result result = try_explore(body, options, where);
  if (result.bug_found) throw BugFound(std::move(result));
  return result;
}

int explore_main(const Body& body, const Options& options, CallSite where) {
  constexpr int kNothing = 0;
  constexpr int kWrongUse = 1;
  constexpr int kBug = 2;
  try {
    const Result result = try_explore(body, options, where);
    std::fputs(result.report.c_str(), stderr);
    return result.bug_found ? kBug : kNothing;
  } catch (const WrongUse& wrong) {
    std::fprintf(stderr, "heddle: %s\n", wrong.what());
    return kWrongUse;
  }
}

}  // namespace heddle
