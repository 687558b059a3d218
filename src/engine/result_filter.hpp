// What is made of an execution when it is over: has one that passed failed by a rule of the user, does one that ended
// with a suppressed race go on, what is written about it.
//
// The explorer has a list of filters and shows each result to all of them, in order, before it looks at it itself. An
// isolation only runs executions; a filter may ask it for more.
#pragma once

#include <cstdint>

#include "engine/chooser.hpp"
#include "engine/isolation.hpp"

namespace heddle::engine {

/// Why an execution was run.
enum class Purpose : std::uint8_t {
  warm_up,  // before the first that counts
  search,   // it counts
  record,   // it repeats one, with every step kept
};

/// An execution that is over.
struct Finished {
  Isolation& isolation;  // that ran it, and can run others
  Chooser chooser;
  Purpose purpose;
};

class ResultFilter {
 public:
  virtual ~ResultFilter() = default;
  /// The result as the next filter shall see it. What it points to is good until the next execution begins.
  virtual ExecutionResult filter(const ExecutionResult& result, const Finished& execution) = 0;
};

}  // namespace heddle::engine
