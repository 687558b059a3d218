// Post-processing of a finished execution: a rule of the user may fail one that passed, one that ended with a
// suppressed race may be continued, and something may be written about it.
//
// The explorer shows each result to all its filters, in order, before it looks at the result itself. An isolation only
// runs executions; a filter may ask it to run more.
#pragma once

#include <cstdint>

#include "engine/chooser.hpp"
#include "engine/isolation.hpp"

namespace heddle::engine {

/// Why an execution was run.
enum class Purpose : std::uint8_t {
  warm_up,  // before the first that counts
  search,   // it counts
  record,   // it repeats one and keeps every step
};

/// A finished execution.
struct Finished {
  Isolation& isolation;  // the isolation that ran it and can run others
  Chooser chooser;
  Purpose purpose;
};

class ResultFilter {
 public:
  virtual ~ResultFilter() = default;
  /// Returns the result as the next filter will see it. What it points to is valid until the next execution begins.
  virtual ExecutionResult filter(const ExecutionResult& result, const Finished& execution) = 0;
};

}  // namespace heddle::engine
