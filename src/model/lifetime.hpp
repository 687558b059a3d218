// The life of an operation as others see it: running, ended, joined, detached.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/ids.hpp"

namespace heddle::model {

class Lifetime {
 public:
  Lifetime() = default;
  explicit Lifetime(OperationId of, bool detached) : of_(of), detached_(detached) {}

  OperationId of() const { return of_; }
  bool has_ended() const { return ended_; }
  bool is_detached() const { return detached_; }
  bool is_joined() const { return joined_; }
  bool is_being_joined() const { return joiner_ != kNoOperation && !joined_; }
  void end() { ended_ = true; }

  bool admits_join() const { return ended_; }

  /// Whether a join may even be tried: EDEADLK by itself, EINVAL if detached or being joined, ESRCH if joined already.
  int may_join(OperationId self) const {
    if (joined_) return ESRCH;
    if (self == of_) return EDEADLK;
    return detached_ || (joiner_ != kNoOperation && joiner_ != self) ? EINVAL : 0;
  }
  /// Who waits in a join for it, or has joined it.
  OperationId joiner() const { return joiner_; }
  void begin_join(OperationId self) { joiner_ = self; }
  void give_up_join() { joiner_ = kNoOperation; }  // its deadline came first, or it was cancelled
  void join(OperationId self) {                    // only when admitted
    joiner_ = self;
    joined_ = true;
  }

  int detach() {
    if (joined_) return ESRCH;
    if (detached_) return EINVAL;
    detached_ = true;
    return 0;
  }

  /// Ended, and nobody can ask for it any more.
  bool is_gone() const { return ended_ && (detached_ || joined_); }

 private:
  OperationId of_ = kNoOperation;
  OperationId joiner_ = kNoOperation;
  bool ended_ = false;
  bool detached_ = false;
  bool joined_ = false;
};

}  // namespace heddle::model
