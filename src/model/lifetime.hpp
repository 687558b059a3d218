// The life of an operation as other operations see it: running, ended, joined, detached.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/hash.hpp"
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

  /// Whether a join may be attempted: EDEADLK on itself, EINVAL if detached or being joined, ESRCH if already joined.
  int may_join(OperationId self) const {
    if (joined_) return ESRCH;
    if (self == of_) return EDEADLK;
    return detached_ || (joiner_ != kNoOperation && joiner_ != self) ? EINVAL : 0;
  }
  /// The operation that waits to join this one, or has joined it.
  OperationId joiner() const { return joiner_; }
  void begin_join(OperationId self) { joiner_ = self; }
  void give_up_join() { joiner_ = kNoOperation; }  // the join timed out or was cancelled
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

  /// The operation is about to end while it holds robust mutexes, which other operations will notice.
  void leave_locks() { leaves_locks_ = true; }
  bool leaves_locks() const { return leaves_locks_; }

  /// Ended, and no operation can ask about it any more.
  bool is_gone() const { return ended_ && (detached_ || joined_); }

  /// As one number: see Resource::state.
  std::uint64_t state() const {
    return combine(combine(mix(index(of_)), index(joiner_)),
                   (ended_ ? 4u : 0u) | (detached_ ? 2u : 0u) | (joined_ ? 1u : 0u));
  }

 private:
  OperationId of_ = kNoOperation;
  OperationId joiner_ = kNoOperation;
  bool ended_ = false;
  bool detached_ = false;
  bool joined_ = false;
  bool leaves_locks_ = false;
};

}  // namespace heddle::model
