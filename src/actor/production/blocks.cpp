#include "actor/production/blocks.hpp"

#include <mutex>
#include <new>

namespace heddle::actor {

thread_local constinit std::array<Blocks::List, Blocks::kKinds> Blocks::mine{};

/// Chains of free blocks of one size.
class Depot {
 public:
  using Free = Blocks::Free;

  Free* take() {
    const std::lock_guard lock(mutex_);
    Free* const chain = chains_;
    if (chain == nullptr) return nullptr;
    chains_ = chain->next_chain;
    --count_;
    return chain;
  }
  /// False: the depot is full.
  bool give(Free* chain) {
    const std::lock_guard lock(mutex_);
    if (count_ == kChainsMax) return false;
    chain->next_chain = chains_;
    chains_ = chain;
    ++count_;
    return true;
  }

 private:
  static constexpr std::uint32_t kChainsMax = 2048;  // a quarter of a million blocks

  std::mutex mutex_;
  Free* chains_ = nullptr;
  std::uint32_t count_ = 0;
};

namespace {

constinit Depot depots[Blocks::kKinds];
thread_local constinit bool has_ended = false;

}  // namespace

/// Returns the blocks that the thread holds. Created when the thread first holds one.
class ThreadEnd {
 public:
  ~ThreadEnd() {
    has_ended = true;
    for (Blocks::List& list : Blocks::mine) {
      while (Blocks::Free* const block = list.first) {
        list.first = block->next;
        ::operator delete(block);
      }
      list.room = 0;
    }
  }
  void touch() {}
};

namespace {

thread_local ThreadEnd thread_end;

}  // namespace

void* Blocks::allocate_large(std::size_t bytes) { return ::operator new(bytes); }
void Blocks::release_large(void* memory) noexcept { ::operator delete(memory); }

// A list without blocks may take two chains: one that it was given, and one of its own.
void* Blocks::refill(List& list, std::size_t kind) {
  if (has_ended) return ::operator new(kind* kGrain);
  thread_end.touch();
  Free* const chain = depots[kind].take();
  if (chain == nullptr) {
    if (list.room == 0) list.room = 2 * kChain;
    return ::operator new(kind* kGrain);
  }
  list.first = chain->next;
  list.room = kChain + 1;
  return chain;
}

void Blocks::spill(List& list, std::size_t kind, void* memory) noexcept {
  if (has_ended) return ::operator delete(memory);
  thread_end.touch();
  if (list.first == nullptr) {  // the first block that the thread frees
    list.room = 2 * kChain;
    return release(memory, kind * kGrain);
  }
  Free* const chain = list.first;
  Free* last = chain;
  for (std::uint32_t i = 1; i < kChain; ++i) last = last->next;
  list.first = last->next;
  last->next = nullptr;
  list.room += kChain;
  if (!depots[kind].give(chain)) {
    for (Free* block = chain; block != nullptr;) {
      Free* const next = block->next;
      ::operator delete(block);
      block = next;
    }
  }
  release(memory, kind * kGrain);
}

}  // namespace heddle::actor
