// What is said when an exploration ends: what was tried, how much of it was new, and how to go on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/progress.hpp"
#include "trace/trace.hpp"

namespace heddle::report {

struct Summary {
  std::string name;      // of the exploration, or the program; may be empty
  std::string strategy;  // as a specification
  std::uint64_t seed = 0;
  std::uint64_t bugs = 0;  // different ones, reported before
  ProgressNumbers totals;
  std::uint64_t cut = 0;         // executions that were stopped without a verdict, at the step bound or …
  std::uint64_t unanswered = 0;  // … because all waited for the outside, in vain
  std::string last_unanswered;   // how one of those ended
  std::uint64_t steps_max = 0;   // that bound
  std::string repeated;          // lines that one that came to it took its last steps at; may be empty
  std::string instrumented;      // how much of its code is; may be empty
  std::string points;            // how many executions had which scheduling points; may be empty
  std::string suppressed;        // races, and by what: as Suppressions says it; may be empty
  std::string explored;  // not empty: the strategy had nothing left; "every schedule with at most 2 preemptions"
  std::string go_on;     // what to type to look further; may be empty
};

/// In place of a summary: the program left nothing to choose.
std::string nothing_to_explore_text(const std::string& name);

/// With what chance an execution fails, at most, if so many did not: with 95 % confidence, as (1 - 3/n)^n is below
/// 0.05. 1 if there were too few to say.
double chance_of_bug_most(std::uint64_t executions);

/// `queue.cpp:40 and queue.cpp:44`; empty if no source line is known.
std::string lines_of(std::vector<Place> places);

/// At the end of an exploration that no bug ended. Ends with a line break.
std::string summary_text(const Summary& summary, bool color = false);

}  // namespace heddle::report
