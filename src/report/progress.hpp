// One line on a terminal that shows the progress of an exploration and is redrawn in place.
//
// If the output is not a terminal (a pipe, a log, CI), it prints nothing. It reads the host's clock and writes without
// calling any function that heddle intercepts, so it may be called from inside the program under test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "report/terminal.hpp"
#include "trace/novelty.hpp"

namespace heddle::report {

struct ProgressNumbers {
  std::uint64_t executions = 0;
  std::uint64_t steps = 0;
  std::uint64_t distinct_schedules = 0;
  bool distinct_is_exact = true;
  Novelty novelty;
  double elapsed_seconds = 0;
  std::optional<std::uint64_t> executions_max;  // of the budget
  std::optional<double> seconds_max;
};

/// Takes any type with these counters: engine::Progress, or what a program reports to the command. A bound of 0 means
/// none.
template <typename Counts>
ProgressNumbers numbers_of(const Counts& counts, std::uint64_t executions_max, std::uint64_t time_ns_max) {
  ProgressNumbers numbers;
  numbers.executions = counts.executions;
  numbers.steps = counts.steps;
  numbers.distinct_schedules = counts.distinct_schedules;
  numbers.distinct_is_exact = counts.distinct_is_exact;
  numbers.novelty = counts.novelty;
  numbers.elapsed_seconds = static_cast<double>(counts.elapsed_ns) * 1e-9;
  if (executions_max != 0) numbers.executions_max = executions_max;
  if (time_ns_max != 0) numbers.seconds_max = static_cast<double>(time_ns_max) * 1e-9;
  return numbers;
}

/// `  41,216 executions · 96,400/s · 2,113 distinct schedules · 1.2 million steps · 3.2 s left`; shortened to fit.
std::string progress_line(const ProgressNumbers& numbers, std::size_t width);

class Progress {
 public:
  explicit Progress(int descriptor = 2);
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool is_shown() const { return terminal_.is_live; }
  /// May be called any number of times: draws at most ten times a second.
  void update(const ProgressNumbers& numbers);
  /// Removes the line. Call it before printing anything else.
  void clear();

 private:
  int descriptor_;
  Terminal terminal_;
  std::uint64_t next_ns_;  // no redraw before this
  bool drawn_ = false;
};

}  // namespace heddle::report
