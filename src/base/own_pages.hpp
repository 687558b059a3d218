// Which pages of the process heddle has mapped for itself, so that they can be told from the memory of the program.
//
// Every mapping of heddle is noted here when it is made, moved and given back; nothing is noted at any other time.
// The table is of fixed size: should it ever be full, it says so, and what depends on it is not done.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace heddle {

class OwnPages {
 public:
  void add(const void* begin, std::size_t bytes);
  /// Also a part of what was added: the rest stays.
  void remove(const void* begin, std::size_t bytes);

  /// Was there no room for one of them?
  bool is_incomplete() const { return incomplete_.load(std::memory_order_relaxed); }
  /// How far from `address` on everything is heddle's: the address itself, if that page is not.
  std::uintptr_t end_of_own(std::uintptr_t address) const;
  /// The first page of heddle from `address` on, but `limit` at most.
  std::uintptr_t next_own(std::uintptr_t address, std::uintptr_t limit) const;

 private:
  static constexpr std::size_t kMost = 4096;
  struct Range {
    std::atomic<std::uintptr_t> begin{0};  // 0: free
    std::atomic<std::uintptr_t> end{0};
  };

  std::size_t used() const { return used_.load(std::memory_order_acquire); }

  std::array<Range, kMost> ranges_;
  std::atomic<std::size_t> used_{0};  // no range from here on was ever taken
  std::atomic<bool> incomplete_{false};
};

extern OwnPages own_pages;

}  // namespace heddle
