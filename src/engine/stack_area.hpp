// Where the stacks of donors lie: stack n always at the same address, whichever process of an exploration starts it.
//
// A program sees the addresses of objects on its stacks, and strategies that learn distinguish its objects by them. If
// a stack were placed wherever there was room when its donor was started, an execution would depend on the executions
// before it and on how they were isolated. So the space is reserved before the first execution.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::engine {

struct StackMemory {
  char* low = nullptr;     // above the guard page
  std::size_t bytes = 0;   // as mapped
  std::size_t usable = 0;  // stacks end at different cache lines, which they would otherwise compete for
};

class StackArea {
 public:
  /// Reserves the space: addresses, no memory. If the kernel refuses, stacks lie anywhere.
  explicit StackArea(std::size_t bytes_of_each);

  /// Zeroed. The same number gets the same addresses in this process and in its copies. A null address: no memory.
  StackMemory map(std::uint32_t number) const;
  /// Called if no thread was available for the stack.
  void unmap(std::uint32_t number, const StackMemory& memory) const;

 private:
  bool has(std::uint32_t number) const;
  char* at(std::uint32_t number) const { return begin_ + number * stride_; }

  std::size_t bytes_;
  std::size_t stride_;
  std::uint32_t count_;
  char* begin_ = nullptr;  // null: no space was available
};

}  // namespace heddle::engine
