// A condition variable: who waits. The mutex is given back and taken again by the waiter's own events.
//
// It remembers the last signal that found nobody waiting, so that a deadlock can be called by its name: lost wake-up.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "model/wait_queue.hpp"

namespace heddle::model {

class Condition {
 public:
  WaitQueue& waiters() { return waiters_; }
  const WaitQueue& waiters() const { return waiters_; }

  void signalled_in_vain(OperationId by, std::uint64_t step) {
    lost_by_ = by;
    lost_at_step_ = step;
  }
  OperationId lost_by() const { return lost_by_; }
  std::uint64_t lost_at_step() const { return lost_at_step_; }

 private:
  WaitQueue waiters_;
  OperationId lost_by_ = kNoOperation;  // who signalled last while nobody waited
  std::uint64_t lost_at_step_ = 0;
};

}  // namespace heddle::model
