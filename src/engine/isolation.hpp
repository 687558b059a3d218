// How executions are isolated from each other: what one leaves behind must not change the next.
//
// An isolation runs one execution at a time and returns what the explorer needs to know about it. It does nothing else:
// interpreting the result is up to filters (engine/result_filter.hpp). In process, the program is simply called again
// (engine/in_process.hpp). A whole program is run in a forked copy, or its memory is restored (src/preload).
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

/// The result of a finished execution. Everything it points to is valid until the next execution begins.
struct ExecutionResult {
  const Verdict* verdict = nullptr;
  std::uint64_t steps = 0;
  std::uint32_t operations = 0;
  std::span<const Choice> schedule;
  const Trace* trace = nullptr;  // of an execution that was recorded
  bool left_out_unfair = false;  // as in ExecutionSummary
  bool ended_unseen = false;     // its process ended by a call that heddle does not see: steps and schedule are unknown
  std::uint32_t contexts = 0;    // Executor::contexts_used
};

class Isolation {
 public:
  virtual ~Isolation() = default;

  /// Called before and after many executions.
  virtual void open() {}
  virtual void close() {}
  /// True if the first execution is like all others. If not, the program is run once without being counted.
  virtual bool starts_fresh() const { return false; }
  /// Sets which accesses are scheduling points in the following executions.
  virtual void set_points(Points points) = 0;
  /// The same for the points at which the strategy is asked.
  virtual void set_choices(Choices choices) = 0;
  /// `record`: keep every step, with its stack.
  virtual ExecutionResult run(Chooser chooser, bool record) = 0;
  /// Called by an operation when something ends the process in the middle of an execution: the running operation, and
  /// what happened up to here.
  virtual OperationId running() const = 0;
  virtual ExecutionResult so_far(const Verdict& verdict) = 0;
};

}  // namespace heddle::engine
