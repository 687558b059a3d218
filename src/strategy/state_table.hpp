// What a learning strategy knows of states and of the actions in them, within bounds.
//
// A state has a number, how often it was met, and for each action that was possible in it one number, its worth. A
// choice looks the state up once; its actions stand together, and mostly in the order in which they are asked for.
//
// A long exploration sees ever new states, most of them once. So there are two generations: what is looked up lives in
// the young one, and when that is full, the old one is forgotten and the young one becomes old. Whatever was not met
// while `kGeneration` others were is forgotten; the most that is kept is two generations, 52 MiB.
#pragma once

#include <array>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/names.hpp"

namespace heddle::strategy {

class StateTable {
 public:
  static constexpr std::uint32_t kGeneration = 1u << 18;  // blocks of actions: one of most states

  /// `worth_first`: of an action that was never met.
  explicit StateTable(float worth_first) : first_(worth_first) {}

  /// The number of the state, until the next `forget`.
  std::uint32_t find(std::uint64_t state) {
    const std::uint32_t number = young_.numbers(state);
    if (number >= young_.states.size()) [[unlikely]]
      meet(state);
    return number;
  }
  float& visits(std::uint32_t state) { return young_.states[state].visits; }

  /// Where the action of this name stands in the state, until the next `forget`. `place`: the how-manyeth it is among
  /// those that are asked for.
  std::uint32_t action(std::uint32_t state, std::uint32_t name, std::uint32_t place) {
    const std::uint32_t first = young_.states[state].first;
    if (place < kInBlock && young_.blocks[first].names[place] == name + 1) [[likely]]
      return first * kStride + place;
    return search(first, name + 1);
  }
  float& worth(std::uint32_t action) { return young_.blocks[action / kStride].worths[action % kStride]; }

  /// Between executions: makes room if it has to. True: it did, and nothing stands where it stood.
  bool forget() {
    if (young_.blocks.size() < kGeneration) return false;
    old_.swap(young_);
    young_.clear();
    return true;
  }
  /// After `forget`: of what it kept, how often each state was met is still known, but nothing of the actions.
  void forget_worths() {
    for (Block& block : old_.blocks) block.worths.fill(first_);
  }

 private:
  static constexpr std::uint32_t kInBlock = 7;
  static constexpr std::uint32_t kStride = 8;  // between the places of blocks
  static constexpr std::uint32_t kNoBlock = ~0u;

  struct State {
    float visits = 0;
    std::uint32_t first = kNoBlock;  // of its blocks
  };
  struct Block {
    std::array<std::uint32_t, kInBlock> names{};  // one more than the name; 0: nobody's
    std::uint32_t next = kNoBlock;
    std::array<float, kInBlock> worths{};
    std::uint32_t unused = 0;  // makes it one line of the cache
  };
  static_assert(sizeof(Block) == 64);

  struct Generation {
    Interned numbers;
    CommonVector<State> states;  // indexed by number
    CommonVector<Block> blocks;

    void swap(Generation& other) {
      numbers.swap(other.numbers);
      states.swap(other.states);
      blocks.swap(other.blocks);
    }
    void clear() {
      numbers.clear();
      states.clear();
      blocks.clear();
    }
  };

  [[gnu::noinline]] void meet(std::uint64_t state) {
    young_.states.push_back({0, add_block()});
    const std::uint32_t before = old_.numbers.find(state);
    if (before == Interned::kUnknown) return;
    young_.states.back().visits = old_.states[before].visits;
    std::uint32_t to = young_.states.back().first;
    for (std::uint32_t from = old_.states[before].first;;) {
      const Block& known = old_.blocks[from];
      young_.blocks[to].names = known.names;
      young_.blocks[to].worths = known.worths;
      if ((from = known.next) == kNoBlock) return;
      to = add_block_after(to);
    }
  }

  [[gnu::noinline]] std::uint32_t search(std::uint32_t block, std::uint32_t name) {
    for (;;) {
      auto& names = young_.blocks[block].names;
      for (std::uint32_t i = 0; i < kInBlock; ++i) {
        if (names[i] == 0) names[i] = name;
        if (names[i] == name) return block * kStride + i;
      }
      const std::uint32_t next = young_.blocks[block].next;
      block = next != kNoBlock ? next : add_block_after(block);
    }
  }

  std::uint32_t add_block() {
    young_.blocks.push_back({});
    young_.blocks.back().worths.fill(first_);
    return static_cast<std::uint32_t>(young_.blocks.size() - 1);
  }
  std::uint32_t add_block_after(std::uint32_t block) {
    const std::uint32_t added = add_block();
    young_.blocks[block].next = added;
    return added;
  }

  float first_;
  Generation young_;
  Generation old_;
};

}  // namespace heddle::strategy
