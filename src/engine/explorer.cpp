#include "engine/explorer.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/raw.hpp"
#include "engine/crash.hpp"
#include "strategy/replay.hpp"

namespace heddle::engine {
namespace {

constexpr std::uint64_t kLookEveryNs = 20'000'000;  // at the clock, for the budget and the progress line
constexpr std::uint64_t kLookEverySteps = 10'000;   // a clock costs as much as some steps: do not ask each time

/// The executor is open, and fatal signals are verdicts, for as long as this lives.
class Session {
 public:
  explicit Session(Executor& executor) : executor_(executor) { executor_.open(); }
  ~Session() { executor_.close(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  Executor& executor_;
  CrashGuard guard_;
};

}  // namespace

const Verdict& Explorer::run_once(strategy::Strategy& strategy, Recorder* recorder) {
  program_.before_execution(execution_);
  recorder_ = recorder;
  const Verdict& verdict = execution_.run(settings_, strategy, recorder, program_.main());
  program_.after_execution(execution_);
  recorder_ = nullptr;
  return verdict;
}

// A replay without choices always takes the first enabled operation.
Verdict Explorer::warm_up() {
  strategy::Replay first_enabled({}, false);
  Random unused(0);
  first_enabled.begin(unused);
  return run_once(first_enabled, nullptr);
}

Findings Explorer::explore(strategy::Strategy& strategy, const Budget& budget, std::uint64_t seed,
                           const std::function<bool(const Progress&)>& report) {
  Findings findings;
  Progress& totals = findings.totals;
  const std::uint64_t started = raw::monotonic_ns();
  std::uint64_t look_at_step = kLookEverySteps;
  std::uint64_t looked_ns = started;
  bool fair = false;
  Verdict first;
  {
    const Session session(executor_);
    first = warm_up();
    while (budget.executions == 0 || totals.executions < budget.executions) {
      Random random(combine(seed, totals.executions));
      if (!strategy.begin(random)) {
        findings.finished = true;
        break;
      }
      running_ = totals.executions + 1;
      const Verdict& verdict = run_once(strategy, nullptr);
      const Scheduler& scheduler = execution_.scheduler();
      fair = strategy.is_fair();
      strategy.end({verdict, scheduler.steps(), scheduler.schedule()});
      ++totals.executions;
      totals.steps += scheduler.steps();
      findings.longest_steps = std::max(findings.longest_steps, scheduler.steps());
      findings.cut += verdict.kind == VerdictKind::cut;
      distinct_.add(hash(scheduler.schedule()));
      if (verdict.is_failure()) {
        findings.failure.emplace();
        findings.failure->verdict = verdict;
        findings.failure->execution = totals.executions;
        findings.failure->schedule.assign(scheduler.schedule().begin(), scheduler.schedule().end());
        break;
      }
      if (totals.steps < look_at_step) continue;
      look_at_step = totals.steps + kLookEverySteps;
      const std::uint64_t now = raw::monotonic_ns();
      if (budget.time_ns != 0 && now - started >= budget.time_ns) break;
      if (!report || now - looked_ns < kLookEveryNs) continue;
      looked_ns = now;
      totals.elapsed_ns = now - started;
      totals.distinct_schedules = distinct_.count();
      totals.distinct_is_exact = distinct_.is_exact();
      if (!report(totals)) break;
    }
  }
  totals.elapsed_ns = raw::monotonic_ns() - started;
  totals.distinct_schedules = distinct_.count();
  totals.distinct_is_exact = distinct_.is_exact();
  if (findings.finished) findings.explored = strategy.explored();
  if (!findings.failure) findings.first = first;
  if (findings.failure) {
    Failure again = replay(findings.failure->schedule, fair);
    again.verdict = findings.failure->verdict;
    again.execution = findings.failure->execution;
    again.confirmed = !again.diverged_at_choice && same_failure(again.verdict, again.second_verdict);
    findings.failure = std::move(again);
  }
  return findings;
}

Failure Explorer::replay(std::vector<Choice> schedule, bool as_if_fair) {
  Failure failure;
  failure.schedule = std::move(schedule);
  strategy::Replay strategy(failure.schedule, as_if_fair);
  Recorder recorder;
  recorder.begin();
  {
    const Session session(executor_);
    warm_up();
    Random unused(0);
    strategy.begin(unused);
    failure.second_verdict = run_once(strategy, &recorder);
  }
  failure.diverged_at_choice = strategy.diverged_at();
  failure.trace = recorder.trace(execution_.scheduler(), failure.second_verdict);
  return failure;
}

Failure Explorer::interrupted(VerdictKind kind, std::string_view message) const {
  const Scheduler& scheduler = execution_.scheduler();
  Failure failure;
  failure.verdict.kind = kind;
  failure.verdict.operation = scheduler.current();
  failure.verdict.set_text(message);
  failure.execution = running_;
  failure.schedule.assign(scheduler.schedule().begin(), scheduler.schedule().end());
  if (recorder_ != nullptr) {
    failure.trace = recorder_->trace(scheduler, failure.verdict);
    return failure;
  }
  failure.trace = trace_of_choices(failure.schedule, scheduler.operation_count());
  failure.trace.verdict = failure.verdict;
  return failure;
}

}  // namespace heddle::engine
