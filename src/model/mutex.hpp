// A mutex, as POSIX defines it, without threads: who owns it, whom it admits, what each call returns.
//
// Spin locks are mutexes of type normal. Results are errno values; 0 is success.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/ids.hpp"

namespace heddle::model {

enum class MutexType : std::uint8_t { normal, recursive, error_checking };

/// Somebody who is no operation of this execution took it before the exploration began, and will not give it back.
inline constexpr OperationId kOutsideOwner{0xffff'fffeu};

class Mutex {
 public:
  Mutex() = default;
  explicit Mutex(MutexType type, bool robust = false, OperationId owner = kNoOperation)
      : owner_(owner), depth_(owner == kNoOperation ? 0 : 1), type_(type), robust_(robust) {}

  bool is_free() const { return owner_ == kNoOperation; }
  OperationId owner() const { return owner_; }
  MutexType type() const { return type_; }
  bool is_robust() const { return robust_; }

  /// Would a lock by `self` come back now? Of a normal mutex that `self` holds already it never does: a misuse.
  bool admits_lock(OperationId self) const { return is_free() || (owner_ == self && type_ != MutexType::normal); }

  bool is_relock(OperationId self) const { return owner_ == self && type_ == MutexType::normal; }

  /// Only when admitted, or for a relock that the user tolerates.
  int lock(OperationId self) {
    if (state_ == State::not_recoverable) return ENOTRECOVERABLE;
    if (owner_ == self) {
      if (type_ != MutexType::recursive) return EDEADLK;
      if (depth_ == kDepthMax) return EAGAIN;
      ++depth_;
      return 0;
    }
    owner_ = self;
    depth_ = 1;
    return state_ == State::owner_died ? EOWNERDEAD : 0;
  }

  int try_lock(OperationId self) {
    if (is_free() || (owner_ == self && type_ == MutexType::recursive)) return lock(self);
    return EBUSY;
  }

  /// Does POSIX promise EPERM to who does not hold it? Else it leaves undefined what an unlock or a wait does then.
  bool tells_strangers() const { return type_ != MutexType::normal || robust_; }

  /// EPERM: `self` does not hold it; nothing changes.
  int unlock(OperationId self) {
    if (owner_ != self) return EPERM;
    if (--depth_ == 0) release_all();
    return 0;
  }

  /// A condition wait gives all of a recursive mutex back at once, and takes as much again.
  std::uint32_t release_all() {
    const std::uint32_t depth = depth_;
    owner_ = kNoOperation;
    depth_ = 0;
    if (state_ == State::owner_died) state_ = State::not_recoverable;  // nobody made it consistent
    return depth;
  }
  int reacquire(OperationId self, std::uint32_t depth) {
    const int result = lock(self);
    if (owner_ == self) depth_ = depth;
    return result;
  }

  int make_consistent(OperationId self) {
    if (!robust_ || state_ != State::owner_died || owner_ != self) return EINVAL;
    state_ = State::consistent;
    return 0;
  }

  /// The owner ended without unlocking. Of a robust mutex the next owner is told; any other stays locked for ever.
  void owner_ended() {
    if (!robust_) return;
    owner_ = kNoOperation;
    depth_ = 0;
    state_ = State::owner_died;
  }

 private:
  enum class State : std::uint8_t { consistent, owner_died, not_recoverable };
  static constexpr std::uint32_t kDepthMax = 0xffff'ffffu;

  OperationId owner_ = kNoOperation;
  std::uint32_t depth_ = 0;  // 0 exactly when nobody owns it
  MutexType type_ = MutexType::normal;
  bool robust_ = false;
  State state_ = State::consistent;
};

}  // namespace heddle::model
