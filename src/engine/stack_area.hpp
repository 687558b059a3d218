// Where the stacks of donors lie: the nth always at the same place, whichever process of an exploration starts it.
//
// A program sees the addresses of what lies on its stacks, and strategies that learn tell its objects apart by them. If
// a stack lay where there was room when its donor was started, an execution would depend on the executions before it,
// and on how they were isolated. So the room is set aside before the first execution.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::engine {

struct StackMemory {
  char* low = nullptr;     // above the guard page
  std::size_t bytes = 0;   // as mapped
  std::size_t usable = 0;  // stacks end at different lines of the cache, which they would else fight for
};

class StackArea {
 public:
  /// Sets the room aside: addresses, no memory. If the kernel refuses it, stacks lie anywhere.
  explicit StackArea(std::size_t bytes_of_each);

  /// Zeroed. The same number gets the same addresses in this process and in its copies.
  StackMemory map(std::uint32_t number) const;
  /// No thread was to be had for it.
  void unmap(std::uint32_t number, const StackMemory& memory) const;

 private:
  bool has(std::uint32_t number) const;
  char* at(std::uint32_t number) const { return begin_ + number * stride_; }

  std::size_t bytes_;
  std::size_t stride_;
  char* begin_ = nullptr;  // null: no room was to be had
};

}  // namespace heddle::engine
