// A condition variable: its waiting operations. The waiter's own events release and retake the mutex.
//
// It remembers the last signal if no operation was waiting for it, so that a deadlock can be reported as a lost
// wake-up. It also remembers the mutex of the waiting operations: they must all use the same one.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "model/wait_queue.hpp"

namespace heddle::model {

class Condition {
 public:
  WaitQueue& waiters() { return waiters_; }
  const WaitQueue& waiters() const { return waiters_; }

  /// A signal or broadcast, before it wakes any operation. One that finds a waiter clears the record of a lost signal.
  void signalled(OperationId by, std::uint64_t step) {
    lost_by_ = waiters_.empty() ? by : kNoOperation;
    lost_at_step_ = static_cast<std::uint32_t>(step);
  }
  /// The operation that sent the last signal, if none was waiting then. Any operation waiting now came too late for it.
  OperationId lost_by() const { return lost_by_; }
  std::uint32_t lost_at_step() const { return lost_at_step_; }

  /// Do the operations waiting now use another mutex?
  bool is_bound_to_another(ResourceId mutex) const { return !waiters_.empty() && mutex_ != mutex; }
  ResourceId mutex() const { return mutex_; }
  void bind(ResourceId mutex) { mutex_ = mutex; }

  /// An operation is about to wait with this mutex.
  void expect(ResourceId mutex) {
    expects_several_ |= expected_ != kNoResource && expected_ != mutex;
    expected_ = mutex;
  }
  /// The mutex that operations have come to wait with; kNoResource: none has come yet.
  ResourceId expected_mutex() const { return expected_; }
  bool expects_several() const { return expects_several_; }

 private:
  WaitQueue waiters_;
  OperationId lost_by_ = kNoOperation;
  std::uint32_t lost_at_step_ = 0;  // truncated to 32 bits: used only in reports
  ResourceId mutex_ = kNoResource;  // of the waiting operations; meaningless while none waits
  ResourceId expected_ = kNoResource;
  bool expects_several_ = false;
};

}  // namespace heddle::model
