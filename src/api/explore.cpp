// heddle::explore: one exploration of a body in the calling process.
#include "heddle/heddle.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "api/exploration.hpp"
#include "api/outcome.hpp"
#include "api/sanitizer.hpp"
#include "api/suppressed.hpp"
#include "api/watchdog.hpp"
#include "base/printable.hpp"
#include "engine/baton.hpp"
#include "engine/carrier.hpp"
#include "engine/explorer.hpp"
#include "engine/in_process.hpp"
#include "engine/suppressed_races.hpp"
#include "options/budget.hpp"
#include "report/progress.hpp"
#include "runtime/ending.hpp"
#include "runtime/front.hpp"
#include "runtime/tsan/watch.hpp"
#include "strategy/table.hpp"

namespace heddle {
namespace {

std::atomic<bool> exploring{false};

/// Allows one exploration at a time in a process.
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

/// Executors live as long as the process, like their threads.
engine::Executor& executor_for(options::ExecutorKind kind) {
  static auto* const carrier = new engine::Carrier;
  static auto* const baton = new engine::Baton;
  if (kind == options::ExecutorKind::baton) return *baton;
  return *carrier;
}

/// A child that a body forks runs free: it is not the exploration, and must not continue it.
void leave_children_alone() {
  static const int registered = pthread_atfork(nullptr, nullptr, [] { engine::control = {}; });
  (void)registered;
}

/// The unwinder sets up its tables at the first exception of the process. If that were inside a body, it would be an
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

Result explore_schedules(engine::Explorer& explorer, const Exploration& exploration, const Suppressed& suppressed) {
  const options::Values& values = exploration.values;
  strategy::Parsed parsed = strategy::parse(values.strategy);
  if (!parsed.strategy) throw WrongUse(parsed.error);
  if (values.executions == 0 && values.seconds == 0)
    throw WrongUse("an exploration without a bound: set Options::executions or Options::time");
  std::optional<report::Progress> line;
  if (!exploration.is_quiet) line.emplace();
  const engine::Budget budget = options::budget_of(values);
  engine::Findings findings =
      explorer.explore(*parsed.strategy, budget, values.seed, [&](const engine::Progress& progress) {
        if (line) line->update(report::numbers_of(progress, budget.executions, budget.time_ns));
        return !Watchdog::has_given_up();
      });
  line.reset();
  Result result = result_of(std::move(findings), exploration, suppressed.suppressions());
  result.report += Watchdog::note();
  return result;
}

}  // namespace

BugFound::BugFound(Result result) : std::runtime_error("\n" + result.report), result_(std::move(result)) {}

Result try_explore(const Body& body, const Options& given, CallSite where) {
  const Exclusive exclusive;
  refuse_thread_sanitizer();
  leave_children_alone();
  throw_once();
  const Exploration exploration = exploration_of(given, where);
  const options::Values& values = exploration.values;
  const bool is_replay = !exploration.replayed.empty();
  runtime::front.set_body(call_body, const_cast<Body*>(&body));
  const runtime::TerminateGuard guard;
  engine::InProcess isolation(executor_for(values.executor), runtime::front, values);
  Suppressed suppressed(values.suppressions_file);
  engine::SuppressedRaces suppressed_races(suppressed);
  engine::Explorer explorer(isolation);
  if (suppressed.any()) explorer.add_filter(suppressed_races);
  if (values.spares) explorer.spare_choices();
  if (values.refines)
    explorer.refine(runtime::levels_of_points(),
                    runtime::watch.is_instrumented() ? values.points : engine::Points::sync);
  const SanitizerWatch watch(explorer, exploration);
  const Watchdog watchdog(values.executor == options::ExecutorKind::carrier);
  return is_replay ? replay_file(explorer, exploration) : explore_schedules(explorer, exploration, suppressed);
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
    std::fprintf(stderr, "heddle: %s\n", printable_lines(wrong.what()).c_str());
    return kWrongUse;
  }
}

}  // namespace heddle
