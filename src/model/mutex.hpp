// A POSIX mutex without threads: which operation owns it, which it admits, and what each call returns.
//
// Spin locks are mutexes of type normal. Results are errno values; 0 is success.
#pragma once

#include <cerrno>
#include <cstdint>

#include "base/hash.hpp"
#include "base/ids.hpp"

namespace heddle::model {

enum class MutexType : std::uint8_t { normal, recursive, error_checking };

/// The owner is not an operation of this execution. It locked the mutex before the exploration began and will not
/// unlock it.
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
  /// The highest priority that a thread may have to take it (PTHREAD_PRIO_PROTECT); 0: any.
  int ceiling() const { return ceiling_; }
  void set_ceiling(int priority) { ceiling_ = static_cast<std::uint8_t>(priority); }
  /// Most mutexes are neither robust nor have a ceiling.
  bool is_plain() const { return !robust_ && ceiling_ == 0; }

  /// Would a lock by `self` return now? On a normal mutex that `self` already holds it never does: a misuse.
  bool admits_lock(OperationId self) const { return is_free() || (owner_ == self && type_ != MutexType::normal); }

  bool is_relock(OperationId self) const { return owner_ == self && type_ == MutexType::normal; }

  /// Call only when admitted, or for a relock that the user allows.
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

  /// Does POSIX promise EPERM to an operation that does not hold it? Otherwise its unlock or wait is undefined.
  bool tells_strangers() const { return type_ != MutexType::normal || robust_; }

  /// EPERM: `self` does not hold it, and nothing changes.
  int unlock(OperationId self) {
    if (owner_ != self) return EPERM;
    if (--depth_ == 0) release_all();
    return 0;
  }

  /// A condition wait releases all levels of a recursive mutex at once, and later retakes as many.
  std::uint32_t release_all() {
    const std::uint32_t depth = depth_;
    owner_ = kNoOperation;
    depth_ = 0;
    if (state_ == State::owner_died) state_ = State::not_recoverable;  // the owner did not make it consistent
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

  /// The owner ended without unlocking. The next owner of a robust mutex is told; any other mutex stays locked for
  /// ever.
  void owner_ended() {
    if (!robust_) return;
    owner_ = kNoOperation;
    depth_ = 0;
    state_ = State::owner_died;
  }

  /// As one number: see Resource::state.
  std::uint64_t state() const {
    const auto kind =
        static_cast<std::uint64_t>(type_) << 16 | (robust_ ? 1u : 0u) << 8 | static_cast<unsigned>(state_);
    return combine(combine(mix(index(owner_)), depth_), kind);
  }

 private:
  enum class State : std::uint8_t { consistent, owner_died, not_recoverable };
  static constexpr std::uint32_t kDepthMax = 0xffff'ffffu;

  OperationId owner_ = kNoOperation;
  std::uint32_t depth_ = 0;  // 0 exactly when it has no owner
  MutexType type_ = MutexType::normal;
  bool robust_ = false;
  std::uint8_t ceiling_ = 0;
  State state_ = State::consistent;
};

}  // namespace heddle::model
