// The machines that one worker is to run, in the order in which they became ready. The owner puts at the tail and takes
// from the head; other workers steal half of the ring from the head.
//
// A thief reads the machines it wants and then moves the head; if that fails, it discards what it read. The owner
// overwrites a slot only when the head has passed it, so a thief that moved the head read valid entries. The indices
// only grow. The queue of Tokio (Lerche 2019) is the same, but steals in two steps.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace heddle::actor {

template <typename T, std::uint32_t kPlaces = 256>
class Ring {
 public:
  /// Called by the owner. False: the ring is full.
  bool put(T* one) noexcept {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kPlaces) return false;
    place(tail).store(one, std::memory_order_relaxed);
    tail_.store(tail + 1, std::memory_order_seq_cst);  // before the owner checks for sleepers
    return true;
  }

  /// Called by the owner.
  T* take() noexcept {
    const std::uint64_t tail = tail_.load(std::memory_order_relaxed);
    std::uint64_t head = head_.load(std::memory_order_relaxed);
    while (head != tail) {
      T* const one = place(head).load(std::memory_order_relaxed);
      if (head_.compare_exchange_weak(head, head + 1, std::memory_order_acq_rel, std::memory_order_relaxed)) return one;
    }
    return nullptr;
  }

  /// Called by the owner of `into`, which is empty: takes half of this ring and returns one of the machines.
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

  /// Any thread may call it; the value may be outdated at once.
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
