// A condition variable: who waits. The mutex is given back and taken again by the waiter's own events.
//
// It remembers the last signal if that found nobody waiting, so that a deadlock can be called by its name, lost
// wake-up; and the mutex of those who wait, of which there must be only one.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "model/wait_queue.hpp"

namespace heddle::model {

class Condition {
 public:
  WaitQueue& waiters() { return waiters_; }
  const WaitQueue& waiters() const { return waiters_; }

  /// A signal or a broadcast, before it wakes anybody. One that finds somebody makes good for those that were lost.
  void signalled(OperationId by, std::uint64_t step) {
    lost_by_ = waiters_.empty() ? by : kNoOperation;
    lost_at_step_ = static_cast<std::uint32_t>(step);
  }
  /// Who signalled last, if nobody waited then: whoever waits now came too late for it.
  OperationId lost_by() const { return lost_by_; }
  std::uint32_t lost_at_step() const { return lost_at_step_; }

  /// Do those who wait now do so with another mutex?
  bool is_bound_to_another(ResourceId mutex) const { return !waiters_.empty() && mutex_ != mutex; }
  ResourceId mutex() const { return mutex_; }
  void bind(ResourceId mutex) { mutex_ = mutex; }

 private:
  WaitQueue waiters_;
  OperationId lost_by_ = kNoOperation;
  std::uint32_t lost_at_step_ = 0;  // cut to 32 bits: it is only told
  ResourceId mutex_ = kNoResource;  // of those who wait; means nothing while nobody does
};

}  // namespace heddle::model
