// Where a worker without work sleeps, until it is woken or some time has passed. A wake that comes early is kept.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace heddle::actor {

class Parking {
 public:
  /// Called by the owner: from now on `wake` finds it.
  void lie_down() noexcept { state_.store(kAsleep, std::memory_order_seq_cst); }
  /// Any thread may call it; the value may be outdated at once.
  bool is_lying() const noexcept { return state_.load(std::memory_order_seq_cst) == kAsleep; }
  /// Leaves without being woken; false: another thread has woken it.
  bool get_up() noexcept {
    std::uint32_t asleep = kAsleep;
    return state_.compare_exchange_strong(asleep, kAwake, std::memory_order_acq_rel);
  }
  /// False: the time has passed, and it was not woken. A spurious wakeup also returns false.
  bool sleep(std::chrono::nanoseconds at_most) noexcept {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
    const timespec time{seconds.count(), (at_most - seconds).count()};
    return sleep(&time);
  }
  bool sleep() noexcept { return sleep(nullptr); }

  /// Any thread may call it. False: the owner has not lain down.
  bool wake() noexcept {
    std::uint32_t asleep = kAsleep;
    if (state_.load(std::memory_order_relaxed) != kAsleep ||
        !state_.compare_exchange_strong(asleep, kAwake, std::memory_order_acq_rel))
      return false;
    syscall(SYS_futex, &state_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
    return true;
  }

 private:
  bool sleep(const timespec* at_most) noexcept {
    if (state_.load(std::memory_order_acquire) == kAsleep)
      syscall(SYS_futex, &state_, FUTEX_WAIT_PRIVATE, kAsleep, at_most, nullptr, 0);
    return state_.load(std::memory_order_acquire) == kAwake;
  }

  static constexpr std::uint32_t kAwake = 0;
  static constexpr std::uint32_t kAsleep = 1;

  std::atomic<std::uint32_t> state_{kAwake};
};

}  // namespace heddle::actor
