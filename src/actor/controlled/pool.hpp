// Blocks for events under control: free lists by size.
//
// Operations of an exploration run one at a time, so nothing here is locked. Each operation has its own thread-local
// storage, so malloc's caches would fill with blocks that one machine allocates and another frees.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace heddle::actor {

class Pool {
 public:
  void* allocate(std::size_t bytes) {
    const std::size_t kind = (bytes + kGrain - 1) / kGrain;
    if (kind >= free_.size()) [[unlikely]]
      return ::operator new(bytes);
    Free* const block = free_[kind];
    if (block == nullptr) [[unlikely]]
      return ::operator new(kind* kGrain);
    free_[kind] = block->next;
    return block;
  }
  void release(void* block, std::size_t bytes) noexcept {
    const std::size_t kind = (bytes + kGrain - 1) / kGrain;
    if (kind >= free_.size()) [[unlikely]]
      return ::operator delete(block);
    free_[kind] = new (block) Free{free_[kind]};
  }

 private:
  static constexpr std::size_t kGrain = 16;
  struct Free {
    Free* next;
  };
  std::array<Free*, 64> free_{};
};

}  // namespace heddle::actor
