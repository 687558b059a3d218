// Blocks for events in production: each thread caches free blocks, and the caches trade whole chains with a depot (the
// magazines of Bonwick and Adams 2001, over malloc).
//
// A block that one thread allocates and another frees stays with the thread that frees it. If blocks flow in one
// direction only, the surplus returns through the depot, at one lock per chain. The depot returns its excess to malloc,
// and a thread that ends returns what it holds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle::actor {

class Blocks {
 public:
  static constexpr std::size_t kKinds = 33;  // of 16 bytes each: up to 512

  static void* allocate(std::size_t bytes) {
    const std::size_t kind = kind_of(bytes);
    if (kind >= kKinds) [[unlikely]]
      return allocate_large(bytes);
    List& list = mine[kind];
    Free* const block = list.first;
    if (block == nullptr) [[unlikely]]
      return refill(list, kind);
    list.first = block->next;
    ++list.room;
    return block;
  }

  static void release(void* memory, std::size_t bytes) noexcept {
    const std::size_t kind = kind_of(bytes);
    if (kind >= kKinds) [[unlikely]]
      return release_large(memory);
    List& list = mine[kind];
    if (list.room == 0) [[unlikely]]
      return spill(list, kind, memory);
    --list.room;
    auto* const block = static_cast<Free*>(memory);
    block->next = list.first;
    list.first = block;
  }

 private:
  friend class ThreadEnd;
  friend class Depot;
  static constexpr std::size_t kGrain = 16;
  static constexpr std::uint32_t kChain = 128;  // blocks traded at once

  struct Free {
    Free* next;
    Free* next_chain;  // set in the first block of a chain in the depot
  };
  struct List {
    Free* first = nullptr;
    std::uint32_t room = 0;  // blocks it can still accept; 0 at first, so the first one goes through `spill`
  };

  static std::size_t kind_of(std::size_t bytes) { return (bytes + kGrain - 1) / kGrain; }
  static void* allocate_large(std::size_t bytes);
  static void release_large(void* memory) noexcept;
  static void* refill(List& list, std::size_t kind);
  static void spill(List& list, std::size_t kind, void* memory) noexcept;

  static thread_local constinit std::array<List, kKinds> mine;
};

}  // namespace heddle::actor
