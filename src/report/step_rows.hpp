// The rows of an interleaving: steps in words, with repetitions folded and the first steps left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "trace/frames.hpp"
#include "trace/trace.hpp"

namespace heddle::report {

struct StepRow {
  std::size_t first = 0;        // step, from 1
  std::size_t count = 1;        // of consecutive identical steps
  std::size_t block = 0;        // not 0: the number of rows, ending with this one, that were repeated as a block
  std::size_t block_count = 0;  // how often
  OperationId operation = kNoOperation;
  OperationId preempted = kNoOperation;  // the operation that could have continued instead
  std::string event;                     // `lock m1 (from)`, `yield ×30`
  Frame frame;
};

struct StepRows {
  std::vector<StepRow> rows;
  std::size_t steps_before = 0;  // left out
};

inline constexpr std::size_t kRowsMax = 40;

/// The last kRowsMax rows of a trace. The trace must outlive them.
StepRows step_rows(const Trace& trace);

}  // namespace heddle::report
