// Many executions under a strategy and a budget, until one fails; then that one again, recorded.
//
// No failure is reported that did not happen twice: the second run follows the schedule of the first and must end in
// the same way. Before an exploration, and before a replay, the program is run once without being counted: what is set
// up on first use (a static, a once flag, a library's tables) is then there in every run alike. The explorer knows
// nothing of threads or of what the program is: it is given a Program.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
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
  std::uint64_t executions = 10'000;  // 0: no bound
  std::uint64_t time_ns = 0;          // 0: no bound
  std::uint64_t failures = 1;         // different ones; 0: no bound
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
  std::uint64_t execution = 0;  // the how-manyeth, from 1
  std::vector<Choice> schedule;
  Trace trace;             // of the second run; no header, no source lines
  bool confirmed = false;  // the second run ended in the same way
  Verdict second_verdict;
  std::optional<Points> points;                   // which accesses were scheduling points, if that changes
  std::optional<std::size_t> diverged_at_choice;  // where the second run could not follow the schedule
};

struct Findings {
  Progress totals;
  std::uint64_t cut = 0;         // executions that were stopped without a verdict, at the step bound or …
  std::uint64_t unanswered = 0;  // … because all waited for the outside, in vain
  Verdict last_unanswered;
  Verdict last_cut;  // of the others
  std::uint64_t longest_steps = 0;
  bool finished = false;           // the strategy has nothing left to explore
  bool nothing_to_choose = false;  // the first execution had one operation and no choice: there is no other schedule
  std::string explored;            // then: what was explored
  std::string search;              // how the executions were spent, if the strategy has something to say
  std::string points;              // how many executions had which, if that changed
  std::vector<Failure> failures;   // told apart by verdict and place
  Verdict first;  // of the run before the exploration, if that failed and no other did, nor itself again
};

/// Of a failure that was not confirmed: how its second run ended. The program is not deterministic.
std::string words_for_difference(const Failure& failure);

class Stopwatch;

/// The same bug: the same kind of verdict, at the same places.
bool same_bug(const Failure& a, const Failure& b);

class Explorer {
 public:
  explicit Explorer(Isolation& isolation) : isolation_(isolation) {}

  /// Sees every result after those that were added before. It lives as long as the explorer.
  void add_filter(ResultFilter& filter) { filters_.push_back(&filter); }

  /// From here on the points of an execution are chosen among these, from the coarsest on. A search that is systematic
  /// has always the `usual` ones.
  void refine(std::vector<Points> levels, Points usual);

  /// `report` is called some times a second; false from it stops the exploration.
  Findings explore(strategy::Strategy& strategy, const Budget& budget, std::uint64_t seed,
                   const std::function<bool(const Progress&)>& report = {});

  /// One execution along a schedule, recorded. `as_if_fair`: whether running out of steps is a livelock.
  Failure replay(std::vector<Choice> schedule, bool as_if_fair, std::optional<Points> points = std::nullopt);

  /// By an operation, when something ends the process in the middle of an execution: what happened up to here. Its
  /// trace has every step if the execution was being recorded, and else only the choices.
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
  void choose_points(const strategy::Strategy& strategy, std::uint64_t chance);
  Failure failure_of(const ExecutionResult& result, std::uint64_t execution) const;

  Isolation& isolation_;
  std::vector<ResultFilter*> filters_;
  std::unique_ptr<Random> random_ =
      std::make_unique<Random>(0);  // on the heap: an execution in another process uses it
  DistinctCounter distinct_;
  std::unique_ptr<strategy::OrderClass> order_ = std::make_unique<strategy::OrderClass>();  // on the heap: like random_
  ClassCounter classes_;
  std::optional<Granularity> granularity_;
  Points usual_points_ = Points::racy;
  bool chose_points_ = false;     // for this execution
  std::optional<Points> points_;  // of the executions from here on; nothing: they never change
  std::uint64_t running_ = 0;     // the how-manyeth execution it is; 0: none that counts
  bool stopped_ = false;          // the budget is spent, or whoever watches has seen enough
};

}  // namespace heddle::engine
