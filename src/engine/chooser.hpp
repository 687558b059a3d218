// Who directs an execution: the strategy that chooses, and another watcher of its steps besides the strategy's own.
//
// Both are called by the process that runs the execution, which may be a copy of the one that explores: they lie in
// memory that all share (base/page_vector.hpp, CommonVector), and so does what they learn.
#pragma once

#include "strategy/strategy.hpp"

namespace heddle::engine {

struct Chooser {
  // Implicit: most executions have no other watcher.
  Chooser(strategy::Strategy& chooses, strategy::StepWatcher* watches = nullptr)
      : strategy(&chooses), watcher(watches) {}

  strategy::Strategy* strategy;
  strategy::StepWatcher* watcher;  // null: none
};

}  // namespace heddle::engine
