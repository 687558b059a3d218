#include "engine/explorer.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/raw.hpp"
#include "strategy/support/replay.hpp"

namespace heddle::engine {

/// Reads the host's clock now and then, for the budget and for progress reports.
class Stopwatch {
 public:
  /// `every_time`: executions are so slow that reading the clock adds nothing to the cost of one.
  Stopwatch(const Budget& budget, const std::function<bool(const Progress&)>& report, bool every_time)
      : report_(report),
        started_(raw::monotonic_ns()),
        time_max_(budget.time_ns),
        reported_(started_),
        looked_(started_),
        every_time_(every_time) {}

  void read(Progress& totals, const DistinctCounter& distinct, const ClassCounter& classes) const {
    totals.elapsed_ns = raw::monotonic_ns() - started_;
    totals.distinct_schedules = distinct.count();
    totals.distinct_is_exact = distinct.is_exact();
    totals.novelty = classes.novelty();
  }

  bool goes_on(Progress& totals, const DistinctCounter& distinct, const ClassCounter& classes) {
    if (totals.steps < look_at_step_) [[likely]]
      return true;
    const std::uint64_t now = raw::monotonic_ns();
    look_at_step_ = totals.steps + (every_time_ ? 0 : steps_to_next_look(totals.steps, now));
    if (time_max_ != 0 && now - started_ >= time_max_) return false;
    if (!report_ || now - reported_ < kReportEveryNs) return true;
    reported_ = now;
    read(totals, distinct, classes);
    return report_(totals);
  }

 private:
  static constexpr std::uint64_t kReportEveryNs = 20'000'000;
  static constexpr std::uint64_t kLookEverySteps = 10'000;   // reading the clock costs as much as some steps
  static constexpr std::uint64_t kLookEveryNs = 10'000'000;  // if steps take long

  std::uint64_t steps_to_next_look(std::uint64_t steps, std::uint64_t now) {
    const std::uint64_t took = std::max<std::uint64_t>(now - std::exchange(looked_, now), 1);
    const std::uint64_t since = steps - std::exchange(looked_at_step_, steps);
    return took < kLookEveryNs ? kLookEverySteps : std::min(kLookEverySteps, since * kLookEveryNs / took);
  }

  const std::function<bool(const Progress&)>& report_;
  std::uint64_t started_;
  std::uint64_t time_max_;
  std::uint64_t reported_;
  std::uint64_t looked_;
  std::uint64_t looked_at_step_ = 0;
  bool every_time_;
  std::uint64_t look_at_step_ = 0;
};

namespace {

/// Keeps the isolation open while this object lives.
class Session {
 public:
  explicit Session(Isolation& isolation) : isolation_(isolation) { isolation_.open(); }
  ~Session() { isolation_.close(); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  Isolation& isolation_;
};

/// A replay needs the same points and choices.
void note_points(Failure& failure) {
  if (failure.points) failure.trace.header.options.emplace_back("points", name(*failure.points));
  if (failure.choices) failure.trace.header.options.emplace_back("choices", name(*failure.choices));
}

/// The places on an operation's stack at the end, by file and offset.
std::vector<const Place*> last_places(const Trace& trace, const TraceOperation& operation) {
  std::vector<const Place*> places;
  for (const std::uint32_t place : operation.stack) places.push_back(&trace.places[place]);
  return places;
}

bool same_places(const Failure& a, const Failure& b, std::size_t operation) {
  const auto first = last_places(a.trace, a.trace.operations[operation]);
  const auto second = last_places(b.trace, b.trace.operations[operation]);
  return std::equal(first.begin(), first.end(), second.begin(), second.end(),
                    [](const Place* one, const Place* other) { return one->same_code(*other); });
}

const Place* place_of(const Trace& trace, std::size_t access) {
  if (access >= trace.accesses.size() || trace.accesses[access].stack.empty()) return nullptr;
  return &trace.places[trace.accesses[access].stack.front()];
}

/// The same two places, in either order.
bool same_race(const Failure& a, const Failure& b) {
  const auto same = [&](std::size_t one, std::size_t other) {
    const Place* first = place_of(a.trace, one);
    const Place* second = place_of(b.trace, other);
    return first != nullptr && second != nullptr && first->same_code(*second);
  };
  return (same(0, 0) && same(1, 1)) || (same(0, 1) && same(1, 0));
}

/// Selects the executions to classify when the strategy does not ask for classes. Classifying costs half a scheduling
/// point a step. One execution in sixteen is enough for an estimate; after a thousand of them, the estimate is good
/// enough to be refined more slowly. After the first few they are taken eight in a row: the first of a row pays for
/// code that is not in the cache.
bool is_in_sample(std::uint64_t execution) {
  constexpr std::uint64_t kInARow = 8;
  if (execution <= 128) return execution % 16 == 1;
  // Each remainder by a constant: a division would take as long as a scheduling point.
  const std::uint64_t before = execution - 1;
  return (execution < 16'384 ? before % (kInARow * 16) : before % (kInARow * 64)) < kInARow;
}

}  // namespace

bool same_bug(const Failure& a, const Failure& b) {
  if (a.verdict.kind != b.verdict.kind) return false;
  if (a.verdict.kind == VerdictKind::race) return same_race(a, b);
  if (a.trace.operations.size() != b.trace.operations.size()) return false;
  const OperationId who = a.verdict.operation;
  if (who != kNoOperation) return who == b.verdict.operation && same_places(a, b, index(who));
  for (std::size_t i = 0; i < a.trace.operations.size(); ++i)
    if (!same_places(a, b, i)) return false;
  return true;
}

std::string words_for_difference(const Failure& failure) {
  std::string text = "the program is not deterministic: execution " + std::to_string(failure.execution) +
                     " ended with `" + std::string(failure.verdict.text()) + "`, and the same schedule run again ";
  if (failure.diverged_at_choice)
    return text + "could not be followed at its choice " + std::to_string(*failure.diverged_at_choice + 1) + " of " +
           std::to_string(failure.schedule.size());
  if (failure.second_verdict.is_failure())
    return text + "ended with `" + std::string(failure.second_verdict.text()) + "`";
  return text + "passed";
}

Failure Explorer::failure_of(const ExecutionResult& result, std::uint64_t execution) const {
  Failure failure;
  failure.verdict = *result.verdict;
  failure.execution = execution;
  failure.schedule.assign(result.schedule.begin(), result.schedule.end());
  failure.points = points_;
  failure.choices = choices_;
  return failure;
}

void Explorer::refine(const Levels& levels, Points usual) {
  granularity_.emplace(levels);
  usual_points_ = usual;
  set_points(usual);
}

void Explorer::set_points(std::optional<Points> points) {
  if (!points || points == points_) return;
  points_ = points;
  isolation_.set_points(*points);
}

void Explorer::set_choices(std::optional<Choices> choices) {
  if (!choices || choices == choices_) return;
  choices_ = choices;
  isolation_.set_choices(*choices);
}

[[gnu::always_inline]] inline ExecutionResult Explorer::run(Chooser chooser, Purpose purpose) {
  if (filters_.empty()) [[likely]]
    return isolation_.run(chooser, purpose == Purpose::record);
  ExecutionResult result = isolation_.run(chooser, purpose == Purpose::record);
  for (ResultFilter* filter : filters_) result = filter->filter(result, {isolation_, chooser, purpose});
  return result;
}

Failure Explorer::warm_up() { return failure_of(run(*strategy::first_enabled(), Purpose::warm_up), 1); }

Findings Explorer::explore(strategy::Strategy& strategy, const Budget& budget, std::uint64_t seed,
                           const std::function<bool(const Progress&)>& report) {
  Findings findings;
  Stopwatch watch(budget, report, isolation_.starts_fresh());
  stopped_ = false;
  Failure first;
  if (!isolation_.starts_fresh()) {
    const Session session(isolation_);
    first = warm_up();
  }
  while (auto found = explore_until_failure(strategy, budget, seed, watch, findings)) {
    running_ = 0;
    Failure confirmed = confirm(*found, strategy.is_fair());
    if (!is_known(confirmed, findings)) {
      if (found_) found_(confirmed);
      findings.failures.push_back(std::move(confirmed));
    }
    if (budget.failures != 0 && findings.failures.size() >= budget.failures) break;
  }
  running_ = 0;
  watch.read(findings.totals, distinct_, classes_);
  if (findings.finished) findings.explored = strategy.explored();
  findings.search = strategy.explain();
  if (granularity_) findings.points = granularity_->text();
  if (findings.failures.empty() && first.verdict.is_failure()) {
    // No counted execution showed this failure; if it happens again, it is a bug.
    Failure again = confirm(first, false);
    if (again.confirmed)
      findings.failures.push_back(std::move(again));
    else
      findings.first = first.verdict;
  }
  return findings;
}

std::optional<Failure> Explorer::explore_until_failure(strategy::Strategy& strategy, const Budget& budget,
                                                       std::uint64_t seed, Stopwatch& watch, Findings& findings) {
  const Session session(isolation_);
  while (!stopped_ && (budget.executions == 0 || findings.totals.executions < budget.executions)) {
    *random_ = Random(combine(mix(seed), findings.totals.executions));
    findings.finished = !strategy.begin(*random_);
    if (findings.finished || findings.nothing_to_choose) break;
    choose_points(strategy, combine(mix(seed), ~findings.totals.executions));
    if (spares_choices_) set_choices(needs_every_choice(strategy) ? Choices::all : Choices::needed);
    std::optional<Failure> failure = explore_once(strategy, findings);
    stopped_ = !watch.goes_on(findings.totals, distinct_, classes_);
    if (failure && (findings.failures.empty() || !is_known(*failure, findings))) return failure;
  }
  return std::nullopt;
}

/// `chance` is independent of the random numbers that the strategy uses, so that the two choices are not correlated.
void Explorer::choose_points(const strategy::Strategy& strategy, std::uint64_t chance) {
  if (!granularity_) return;
  Random random(chance);
  const std::uint32_t wanted = strategy.wanted_points();
  chose_points_ = !strategy.is_systematic() && wanted == strategy::kAnyPoints;
  if (chose_points_)
    set_points(granularity_->next(random));
  else if (wanted == strategy::kFinestPoints)
    set_points(granularity_->finest());
  else
    set_points(wanted != strategy::kAnyPoints ? static_cast<Points>(wanted) : usual_points_);
  granularity_->count(*points_);
}

/// Two schedules of one class show the same. Where no class is known, what counts is whether the schedule is new, for
/// as long as that is not estimated.
void Explorer::tell_granularity(std::optional<bool> is_new_class, bool is_new_schedule) {
  if (is_new_class || distinct_.is_exact()) granularity_->saw(is_new_class.value_or(is_new_schedule));
}

/// What comes after a release may matter to anyone.
bool Explorer::needs_every_choice(const strategy::Strategy& strategy) const {
  return strategy.needs_every_choice() || points_ == Points::release;
}

/// Runs one execution that counts. Returns its failure, if it failed.
std::optional<Failure> Explorer::explore_once(strategy::Strategy& strategy, Findings& findings) {
  running_ = ++findings.totals.executions;
  const bool classifies = strategy.wants_order_class() || is_in_sample(running_);
  if (classifies) order_->begin();
  const ExecutionResult result = run({strategy, classifies ? order_.get() : nullptr}, Purpose::search);
  const std::uint32_t at_level = points_ ? static_cast<std::uint32_t>(*points_) : 0;  // the choices differ by level
  const std::uint64_t what_it_was = points_ ? combine(hash(result.schedule), at_level) : hash(result.schedule);
  distinct_.expect(what_it_was);
  const std::uint64_t order_class = classifies ? order_->value() : 0;
  const bool was_killed = result.verdict->cut == CutReason::ended;  // nothing is known of it
  const std::optional<bool> is_new_class =
      classifies && !was_killed ? classes_.add(order_class) : std::optional<bool>();
  strategy.end({*result.verdict, result.steps, result.schedule, order_class, at_level, result.left_out_unfair});
  findings.totals.steps += result.steps;
  findings.longest_steps = std::max(findings.longest_steps, result.steps);
  count_cut(*result.verdict, findings);
  const bool is_new = !was_killed && distinct_.add(what_it_was);
  if (granularity_ && chose_points_ && !was_killed) tell_granularity(is_new_class, is_new);
  if (running_ == 1) {
    findings.nothing_to_choose =
        result.operations == 1 && result.schedule.empty() && result.verdict->kind != VerdictKind::cut;
    findings.first_points = points_;
    findings.first_choices = choices_;
  }
  if (!result.verdict->is_failure()) [[likely]]
    return std::nullopt;
  return failure_of(result, running_);
}

void Explorer::count_cut(const Verdict& verdict, Findings& findings) {
  if (verdict.kind != VerdictKind::cut) [[likely]]
    return;
  if (verdict.cut == CutReason::ended) return;  // counted by the one that ended it
  ++findings.cut;
  const bool is_unanswered = verdict.cut == CutReason::outside;
  findings.unanswered += is_unanswered;
  (is_unanswered ? findings.last_unanswered : findings.last_cut) = verdict;
}

/// A failure that is not recorded yet is compared by its message: the same message is the same bug and saves a second
/// run.
bool Explorer::is_known(const Failure& failure, const Findings& findings) const {
  return std::any_of(findings.failures.begin(), findings.failures.end(), [&](const Failure& known) {
    return same_failure(known.verdict, failure.verdict) ||
           (!failure.trace.operations.empty() && same_bug(known, failure));
  });
}

Failure Explorer::confirm(const Failure& found, bool fair) {
  Failure again = replay(found.schedule, fair, found.points, found.choices);
  // On a busy machine the command may end a run that is merely slow, which says nothing about the program.
  if (again.second_verdict.cut == CutReason::ended) again = replay(found.schedule, fair, found.points, found.choices);
  again.verdict = found.verdict;
  again.execution = found.execution;
  again.confirmed = !again.diverged_at_choice && same_failure(again.verdict, again.second_verdict);
  return again;
}

Failure Explorer::replay(std::vector<Choice> schedule, bool as_if_fair, std::optional<Points> points,
                         std::optional<Choices> choices) {
  set_points(points);
  set_choices(choices);
  const auto strategy = std::make_unique<strategy::Replay>(schedule, as_if_fair);
  const Session session(isolation_);
  if (!isolation_.starts_fresh()) warm_up();
  Random unused(0);
  strategy->begin(unused);
  const ExecutionResult result = run(*strategy, Purpose::record);
  Failure failure;
  failure.points = points_;
  failure.choices = choices_;
  failure.schedule = std::move(schedule);
  failure.second_verdict = *result.verdict;
  failure.diverged_at_choice = strategy->diverged_at();
  failure.trace = result.trace != nullptr ? *result.trace : trace_of_choices(failure.schedule, result.operations);
  failure.trace.verdict = *result.verdict;
  note_points(failure);
  return failure;
}

Failure Explorer::interrupted(VerdictKind kind, std::string_view message) const {
  Verdict verdict;
  verdict.kind = kind;
  verdict.operation = isolation_.running();
  verdict.set_text(message);
  const ExecutionResult result = isolation_.so_far(verdict);
  Failure failure = failure_of(result, running_);
  failure.trace = result.trace != nullptr ? *result.trace : trace_of_choices(failure.schedule, result.operations);
  failure.trace.verdict = verdict;
  note_points(failure);
  return failure;
}

}  // namespace heddle::engine
