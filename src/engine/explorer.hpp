// Runs many executions under a strategy and a budget until one fails, then runs that one again and records it.
//
// Every failure is reproduced before it is reported: the second run follows the schedule of the first and must end in
// the same way. Before an exploration or a replay, the program is run once without being counted, unless each execution
// starts fresh. State that is set up on first use (a static, a once flag, a library's tables) is then the same in every
// run. The explorer knows nothing about threads or about what the program is: it is given an Isolation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "engine/class_counter.hpp"
#include "engine/distinct.hpp"
#include "engine/granularity.hpp"
#include "engine/isolation.hpp"
#include "engine/result_filter.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/order_class.hpp"
#include "trace/trace.hpp"

namespace heddle::engine {

struct Budget {
  std::uint64_t executions = 10'000;  // 0: unlimited
  std::uint64_t time_ns = 0;          // 0: unlimited
  std::uint64_t failures = 1;         // distinct failures; 0: unlimited
};

struct Progress {
  std::uint64_t executions = 0;
  std::uint64_t steps = 0;
  std::uint64_t distinct_schedules = 0;
  bool distinct_is_exact = true;
  Novelty novelty;
  std::uint64_t elapsed_ns = 0;
};

struct Failure {
  Verdict verdict;
  std::uint64_t execution = 0;  // its number, from 1
  std::vector<Choice> schedule;
  Trace trace;             // of the second run; without header and source lines
  bool confirmed = false;  // the second run ended in the same way
  Verdict second_verdict;
  std::optional<Choices> choices;                 // at which points the strategy was asked, if that varies
  std::optional<Points> points;                   // which accesses were scheduling points, if that varies
  std::optional<std::size_t> diverged_at_choice;  // where the second run could not follow the schedule
};

struct Findings {
  Progress totals;
  std::uint64_t cut = 0;         // executions stopped without a verdict, at the step bound or …
  std::uint64_t unanswered = 0;  // … because all operations waited in vain for the outside
  Verdict last_unanswered;
  Verdict last_cut;  // of the executions counted in `cut`
  std::uint64_t longest_steps = 0;
  bool finished = false;           // the strategy has nothing left to explore
  bool nothing_to_choose = false;  // the first execution had one operation and no choice: there is only one schedule
  std::string explored;            // if finished: what was explored
  std::string search;              // how the executions were spent, if the strategy reports it
  std::string points;              // how many executions had which points, if that varied
  std::vector<Failure> failures;   // distinguished by verdict and place
  std::optional<Points> first_points;    // of the first execution, if they vary
  std::optional<Choices> first_choices;  // the same
  Verdict first;  // of the uncounted run, if it failed, did not fail again, and no other run failed
};

/// For a failure that was not confirmed: how its second run ended. The program is not deterministic.
std::string words_for_difference(const Failure& failure);

class Stopwatch;

/// True for the same bug: the same kind of verdict at the same places.
bool same_bug(const Failure& a, const Failure& b);

class Explorer {
 public:
  explicit Explorer(Isolation& isolation) : isolation_(isolation) {}

  /// The filter sees every result, after the filters added before it. It must live as long as the explorer.
  void add_filter(ResultFilter& filter) { filters_.push_back(&filter); }

  /// `found` is called with each different failure as soon as it is confirmed, and may replay it.
  void tell_failures(std::function<void(const Failure&)> found) { found_ = std::move(found); }

  /// From here on the points of an execution are chosen among these levels, starting with the coarsest. A systematic
  /// search always uses the `usual` points.
  void refine(const Levels& levels, Points usual);

  /// From here on a strategy that samples is asked only where it is needed.
  void spare_choices() { spares_choices_ = true; }

  /// `report` is called several times a second; if it returns false, the exploration stops.
  Findings explore(strategy::Strategy& strategy, const Budget& budget, std::uint64_t seed,
                   const std::function<bool(const Progress&)>& report = {});

  /// Runs one execution along a schedule and records it. `as_if_fair`: running out of steps can be a livelock.
  Failure replay(std::vector<Choice> schedule, bool as_if_fair, std::optional<Points> points = std::nullopt,
                 std::optional<Choices> choices = std::nullopt);

  /// Called by an operation when something ends the process in the middle of an execution: what happened up to here.
  /// The trace has every step if the execution was being recorded, otherwise only the choices.
  Failure interrupted(VerdictKind kind, std::string_view message) const;

 private:
  ExecutionResult run(Chooser chooser, Purpose purpose);
  Failure warm_up();
  std::optional<Failure> explore_until_failure(strategy::Strategy& strategy, const Budget& budget, std::uint64_t seed,
                                               Stopwatch& watch, Findings& findings);
  std::optional<Failure> explore_once(strategy::Strategy& strategy, Findings& findings);
  static void count_cut(const Verdict& verdict, Findings& findings);
  bool is_known(const Failure& failure, const Findings& findings) const;
  Failure confirm(const Failure& found, bool fair);
  void set_points(std::optional<Points> points);
  void set_choices(std::optional<Choices> choices);
  bool needs_every_choice(const strategy::Strategy& strategy) const;
  void choose_points(const strategy::Strategy& strategy, std::uint64_t chance);
  void tell_granularity(std::optional<bool> is_new_class, bool is_new_schedule);
  Failure failure_of(const ExecutionResult& result, std::uint64_t execution) const;

  Isolation& isolation_;
  std::vector<ResultFilter*> filters_;
  std::function<void(const Failure&)> found_;
  std::unique_ptr<Random> random_ =
      std::make_unique<Random>(0);  // on the heap: an execution in another process uses it
  DistinctCounter distinct_;
  std::unique_ptr<strategy::OrderClass> order_ = std::make_unique<strategy::OrderClass>();  // on the heap: like random_
  ClassCounter classes_;
  std::optional<Granularity> granularity_;
  Points usual_points_ = Points::racy;
  bool chose_points_ = false;     // for this execution
  std::optional<Points> points_;  // of the next executions; empty: they never change
  bool spares_choices_ = false;
  std::optional<Choices> choices_;  // of the next executions; empty: they never change
  std::uint64_t running_ = 0;       // number of the current execution; 0: none that counts
  bool stopped_ = false;            // the budget is spent, or `report` asked to stop
};

}  // namespace heddle::engine
