// What is printed when an exploration ends: what was tried, how much of it was new, and how to continue.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/progress.hpp"
#include "trace/trace.hpp"

namespace heddle::report {

struct Summary {
  std::string name;      // of the exploration or the program; may be empty
  std::string strategy;  // as a specification
  std::uint64_t seed = 0;
  std::uint64_t bugs = 0;  // distinct ones, already reported
  ProgressNumbers totals;
  std::uint64_t cut = 0;         // executions stopped without a verdict, at the step bound or …
  std::uint64_t unanswered = 0;  // … because all operations waited for the outside in vain
  std::string last_unanswered;   // how one of those ended
  std::uint64_t ended = 0;       // executions that were killed, in addition to those that were cut
  std::string last_ended;        // why one of those was
  std::uint64_t steps_max = 0;   // the step bound
  std::string repeated;          // lines where an execution at that bound took its last steps; may be empty
  std::string instrumented;      // how much of the code is instrumented; may be empty
  std::string points;            // how many executions had which scheduling points; may be empty
  std::string suppressed;        // races and the suppressions that matched, as Suppressions words it; may be empty
  std::string explored;  // not empty: the strategy had nothing left; "every schedule with at most 2 preemptions"
  std::string go_on;     // what to type to continue the search; may be empty
};

/// In place of a summary: the program had no choices to explore.
std::string nothing_to_explore_text(const std::string& name);

/// An upper bound on the chance that an execution fails, if this many did not: with 95 % confidence, as (1 - 3/n)^n is
/// below 0.05. 1 if there were too few to say.
double chance_of_bug_most(std::uint64_t executions);

/// `queue.cpp:40 and queue.cpp:44`; empty if no source line is known.
std::string lines_of(std::vector<Place> places);

/// For the end of an exploration that no bug ended. Ends with a line break.
std::string summary_text(const Summary& summary, bool color = false);

}  // namespace heddle::report
