// How executions are kept apart from each other: what one leaves behind must not change the next.
//
// An isolation runs one execution at a time and hands back what the explorer needs of it, and does nothing else: what
// is made of the result is for filters to say (engine/result_filter.hpp). In process the program is simply called again
// (engine/in_process.hpp); a whole program is run in a forked copy, or has its memory put back (src/preload).
#pragma once

#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "engine/chooser.hpp"
#include "engine/settings.hpp"
#include "trace/schedule.hpp"
#include "trace/trace.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

/// What is known of an execution when it is over. Everything that it points to is good until the next one begins.
struct ExecutionResult {
  const Verdict* verdict = nullptr;
  std::uint64_t steps = 0;
  std::uint32_t operations = 0;
  std::span<const Choice> schedule;
  const Trace* trace = nullptr;  // of an execution that was recorded
  bool left_out_unfair = false;  // as ExecutionSummary has it
};

class Isolation {
 public:
  virtual ~Isolation() = default;

  /// Around many executions.
  virtual void open() {}
  virtual void close() {}
  /// Is the first execution like all others? If not it is run once without being counted.
  virtual bool starts_fresh() const { return false; }
  /// Which accesses are scheduling points in the executions that follow.
  virtual void set_points(Points points) = 0;
  /// `record`: keep every step, with its stack.
  virtual ExecutionResult run(Chooser chooser, bool record) = 0;
  /// By an operation, when something ends the process in the middle: which one it is, and what happened up to here.
  virtual OperationId running() const = 0;
  virtual ExecutionResult so_far(const Verdict& verdict) = 0;
};

}  // namespace heddle::engine
