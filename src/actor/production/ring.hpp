// The machines that one worker is to run, in the order in which they became ready: its owner puts at the tail and takes
// from the head, and others steal half of it from the head.
//
// A thief reads what it wants and then moves the head; if that fails, what it read counts for nothing. The owner
// overwrites a place only when the head has passed it, so a thief that moved the head read what was put. The indices
// only grow. The queue of Tokio (Lerche 2019) is this with stealing in two steps.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace heddle::actor {

template <typename T, std::uint32_t kPlaces = 256>
class Ring {
 public:
  /// By the owner. False: it is full.
  bool put(T* one) noexcept {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kPlaces) return false;
    place(tail).store(one, std::memory_order_relaxed);
    tail_.store(tail + 1, std::memory_order_seq_cst);  // before the owner looks whether somebody sleeps
    return true;
  }

  /// By the owner.
  T* take() noexcept {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    std::uint64_t head = head_.load(std::memory_order_relaxed);
    while (head != tail) {
      T* const one = place(head).load(std::memory_order_relaxed);
      if (head_.compare_exchange_weak(head, head + 1, std::memory_order_acq_rel, std::memory_order_relaxed)) return one;
    }
    return nullptr;
  }

  /// By the owner of `into`, which is empty: takes half of what is here, one of it as the result.
  T* steal(Ring& into) noexcept {
    std::uint64_t head = head_.load(std::memory_order_acquire);
    std::array<T*, kPlaces / 2> taken;
    for (;;) {
      const std::uint64_t tail = tail_.load(std::memory_order_acquire);
      if (head >= tail) return nullptr;
      const std::uint64_t count = std::min<std::uint64_t>((tail - head + 1) / 2, taken.size());
      for (std::uint64_t i = 0; i < count; ++i) taken[i] = place(head + i).load(std::memory_order_relaxed);
      if (!head_.compare_exchange_weak(head, head + count, std::memory_order_acq_rel, std::memory_order_acquire))
        continue;
      for (std::uint64_t i = 1; i < count; ++i) into.put(taken[i]);
      return taken[0];
    }
  }

  /// By anybody: a moment's truth.
  std::uint64_t size() const noexcept {
    const std::uint64_t head = head_.load(std::memory_order_seq_cst);
    const std::uint64_t tail = tail_.load(std::memory_order_seq_cst);
    return tail > head ? tail - head : 0;
  }

 private:
  std::atomic<T*>& place(std::uint64_t index) { return places_[index % kPlaces]; }

  alignas(64) std::atomic<std::uint64_t> head_{0};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
  std::array<std::atomic<T*>, kPlaces> places_{};
};

}  // namespace heddle::actor
