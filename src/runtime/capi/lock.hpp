// A small lock that calls nothing in libc: one word, and a system call only when two threads contend.
//
// The third mutex of Drepper, "Futexes Are Tricky" (2011): 0 free, 1 held, 2 held and a thread may be waiting.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/raw.hpp"

namespace heddle::runtime::capi {

class Lock {
 public:
  void lock() {
    std::uint32_t seen = kFree;
    if (word_.compare_exchange_strong(seen, kHeld, std::memory_order_acquire)) [[likely]]
      return;
    while (word_.exchange(kContended, std::memory_order_acquire) != kFree) raw::futex_wait(address(), kContended);
  }

  void unlock() {
    if (word_.exchange(kFree, std::memory_order_release) == kContended) [[unlikely]]
      raw::futex_wake_one(address());
  }

 private:
  enum Word : std::uint32_t { kFree, kHeld, kContended };
  const std::uint32_t* address() const { return reinterpret_cast<const std::uint32_t*>(&word_); }

  std::atomic<std::uint32_t> word_{kFree};
};

}  // namespace heddle::runtime::capi
