// A counting semaphore.
#pragma once

#include <cerrno>
#include <climits>
#include <cstdint>

namespace heddle::model {

class Semaphore {
 public:
  Semaphore() = default;
  explicit Semaphore(std::uint32_t value) : value_(value) {}

  std::uint32_t value() const { return value_; }
  bool admits_acquire() const { return value_ > 0; }
  void acquire() { --value_; }  // only when admitted

  int try_acquire() {
    if (value_ == 0) return EAGAIN;
    --value_;
    return 0;
  }

  int release() {
    if (value_ == static_cast<std::uint32_t>(INT_MAX)) return EOVERFLOW;  // SEM_VALUE_MAX
    ++value_;
    return 0;
  }

 private:
  std::uint32_t value_ = 0;
};

}  // namespace heddle::model
