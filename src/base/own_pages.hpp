// The pages that heddle has mapped for itself, to tell them apart from the program's memory.
//
// Every mapping of heddle is recorded here when it is made, moved or unmapped, and at no other time. The table has a
// fixed size. If it fills up, it reports that, and features that depend on it are skipped.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle {

class OwnPages {
 public:
  void add(const void* begin, std::size_t bytes);
  /// The range may be part of an added one; the rest stays.
  void remove(const void* begin, std::size_t bytes);

  /// Did the table run out of room?
  bool is_incomplete() const { return incomplete_.load(std::memory_order_relaxed); }
  /// The end of heddle's pages that are contiguous from `address`; `address` itself if that page is not heddle's.
  std::uintptr_t end_of_own(std::uintptr_t address) const;
  /// The first page of heddle at or after `address`, or `limit` if there is none before it.
  std::uintptr_t next_own(std::uintptr_t address, std::uintptr_t limit) const;

 private:
  static constexpr std::size_t kMost = 4096;
  struct Range {
    std::atomic<std::uintptr_t> begin{0};  // 0: free
    std::atomic<std::uintptr_t> end{0};
  };

  std::size_t used() const { return used_.load(std::memory_order_acquire); }

  std::array<Range, kMost> ranges_;
  std::atomic<std::size_t> used_{0};  // no range at or above this index was ever taken
  std::atomic<bool> incomplete_{false};
};

extern OwnPages own_pages;

}  // namespace heddle
