// What directs an execution: the strategy that chooses, and an optional watcher of steps besides the strategy's own.
//
// Both are called by the process that runs the execution, which may be a copy of the exploring process. They, and what
// they learn, therefore lie in memory that all these processes share (base/page_vector.hpp, CommonVector).
#pragma once

#include "strategy/strategy.hpp"

namespace heddle::engine {

struct Chooser {
  // Implicit, because most executions have no second watcher.
  Chooser(strategy::Strategy& chooses, strategy::StepWatcher* watches = nullptr)
      : strategy(&chooses), watcher(watches) {}

  strategy::Strategy* strategy;
  strategy::StepWatcher* watcher;  // null: none
};

}  // namespace heddle::engine
