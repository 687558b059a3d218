// Finds where two executions that should be the same first differ, and what kind of thing causes that.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "trace/trace.hpp"

namespace heddle {

struct Difference {
  std::size_t step = 0;  // from 1
  std::string text;      // `step 17: expected T3 lock m2 at queue.cpp:40, got T3 lock m1 at queue.cpp:44`
  std::string cause;     // one or two sentences: what the program must depend on
};

/// Compares the steps, then the verdicts. `actual` may end where a replay could not continue. A trace that has choices
/// only has nothing to compare: whether the failure came again is for its verdict to say.
std::optional<Difference> first_difference(const Trace& expected, const Trace& actual);

}  // namespace heddle
