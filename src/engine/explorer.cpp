#include "engine/explorer.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/raw.hpp"
#include "engine/crash.hpp"
#include "strategy/replay.hpp"

namespace heddle::engine {
namespace {

/// Reads the host's clock now and then: for the budget and for whoever watches.
class Stopwatch {
 public:
  Stopwatch(const Budget& budget, const std::function<bool(const Progress&)>& report)
      : report_(report), started_(raw::monotonic_ns()), time_max_(budget.time_ns), reported_(started_) {}

  void read(Progress& totals, const DistinctCounter& distinct) const {
    totals.elapsed_ns = raw::monotonic_ns() - started_;
    totals.distinct_schedules = distinct.count();
    totals.distinct_is_exact = distinct.is_exact();
  }

  bool goes_on(Progress& totals, const DistinctCounter& distinct) {
    if (totals.steps < look_at_step_) [[likely]]
      return true;
    look_at_step_ = totals.steps + kLookEverySteps;
    const std::uint64_t now = raw::monotonic_ns();
    if (time_max_ != 0 && now - started_ >= time_max_) return false;
    if (!report_ || now - reported_ < kReportEveryNs) return true;
    reported_ = now;
    read(totals, distinct);
    return report_(totals);
  }

 private:
  static constexpr std::uint64_t kReportEveryNs = 20'000'000;
  static constexpr std::uint64_t kLookEverySteps = 10'000;  // a look costs as much as some steps

  const std::function<bool(const Progress&)>& report_;
  std::uint64_t started_;
  std::uint64_t time_max_;
  std::uint64_t reported_;
  std::uint64_t look_at_step_ = kLookEverySteps;
};

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
  Stopwatch watch(budget, report);
  Failure first;
  {
    const Session session(executor_);
    first.verdict = warm_up();
    keep_schedule(first);
    while (budget.executions == 0 || findings.totals.executions < budget.executions) {
      Random random(combine(seed, findings.totals.executions));
      findings.finished = !strategy.begin(random);
      if (findings.finished || !explore_once(strategy, findings) || !watch.goes_on(findings.totals, distinct_)) break;
    }
  }
  running_ = 0;
  watch.read(findings.totals, distinct_);
  if (findings.finished) findings.explored = strategy.explored();
  if (findings.failure) {
    findings.failure = confirm(*findings.failure, strategy.is_fair());
  } else if (first.verdict.is_failure()) {  // no execution that counted showed it; if it happens again, it is a bug
    first.execution = 1;
    Failure again = confirm(first, false);
    if (again.confirmed)
      findings.failure = std::move(again);
    else
      findings.first = first.verdict;
  }
  return findings;
}

/// One execution that counts. False: it failed.
bool Explorer::explore_once(strategy::Strategy& strategy, Findings& findings) {
  running_ = ++findings.totals.executions;
  const Verdict& verdict = run_once(strategy, nullptr);
  const Scheduler& scheduler = execution_.scheduler();
  const std::uint64_t what_it_was = hash(scheduler.schedule());
  distinct_.expect(what_it_was);
  strategy.end({verdict, scheduler.steps(), scheduler.schedule()});
  findings.totals.steps += scheduler.steps();
  findings.longest_steps = std::max(findings.longest_steps, scheduler.steps());
  findings.cut += verdict.kind == VerdictKind::cut;
  if (verdict.kind == VerdictKind::cut && scheduler.steps() < settings_.steps_max) {
    ++findings.unanswered;
    findings.last_unanswered = verdict;
  }
  distinct_.add(what_it_was);
  if (!verdict.is_failure()) return true;
  Failure& failure = findings.failure.emplace();
  failure.verdict = verdict;
  failure.execution = running_;
  keep_schedule(failure);
  return false;
}

void Explorer::keep_schedule(Failure& failure) const {
  const std::span<const Choice> schedule = execution_.scheduler().schedule();
  failure.schedule.assign(schedule.begin(), schedule.end());
}

Failure Explorer::confirm(const Failure& found, bool fair) {
  Failure again = replay(found.schedule, fair);
  again.verdict = found.verdict;
  again.execution = found.execution;
  again.confirmed = !again.diverged_at_choice && same_failure(again.verdict, again.second_verdict);
  return again;
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
  keep_schedule(failure);
  if (recorder_ != nullptr) {
    failure.trace = recorder_->trace(scheduler, failure.verdict);
    return failure;
  }
  failure.trace = trace_of_choices(failure.schedule, scheduler.operation_count());
  failure.trace.verdict = failure.verdict;
  return failure;
}

}  // namespace heddle::engine
