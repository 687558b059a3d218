// What a learning strategy knows about states and their actions, in bounded memory.
//
// A state has a number and a visit count. Each action that was possible in it has one number, its worth. A choice looks
// up the state once. Its actions are stored together, mostly in the order in which they are asked for.
//
// A long exploration keeps seeing new states, most of them once. So there are two generations. Whatever is looked up
// lives in the young one. When that is full, the old one is forgotten and the young one becomes old. A state that was
// not met while `kGeneration` others were is forgotten. At most two generations are kept: 50 MiB.
#pragma once

#include <array>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class StateTable {
 public:
  static constexpr std::uint32_t kGeneration = 1u << 16;  // blocks of actions; most states have one

  /// `worth_first`: the worth of an action never met before.
  explicit StateTable(float worth_first) : first_(worth_first) {}

  /// The number of the state, valid until the next `forget`.
  std::uint32_t find(std::uint64_t state) {
    const std::uint32_t number = young_.numbers(state);
    if (number >= young_.states.size()) [[unlikely]]
      meet(state);
    return number;
  }
  float& visits(std::uint32_t state) { return young_.visits[state]; }

  /// The position of the named action in the state, valid until the next `forget`. `place` is its index in the order in
  /// which the actions are asked for.
  std::uint32_t action(std::uint32_t state, std::uint32_t name, std::uint32_t place) {
    if (place < kInBlock && young_.states[state].names[place] == name + 1) [[likely]]
      return state * kStride + place;
    return search(state, name + 1);
  }
  float& worth(std::uint32_t action) { return block(young_, action / kStride).worths[action % kStride]; }

  /// Called between executions; makes room if necessary. Returns true if it did: then all numbers and positions change.
  bool forget() {
    if (young_.states.size() + young_.more.size() < kGeneration) return false;
    old_.swap(young_);
    young_.clear();
    return true;
  }
  /// Called after `forget`: keeps the visit counts of the remaining states, but nothing about their actions.
  void forget_worths() {
    for (Block& block : old_.states) block.worths.fill(first_);
    for (Block& block : old_.more) block.worths.fill(first_);
  }

 private:
  static constexpr std::uint32_t kInBlock = 7;
  static constexpr std::uint32_t kStride = 8;       // between the positions of two blocks
  static constexpr std::uint32_t kMore = 1u << 28;  // block numbers from here on refer to `more`
  static constexpr std::uint32_t kNoBlock = ~0u;

  /// The actions of a state; those that do not fit are in the next block. One cache line.
  struct Block {
    std::array<std::uint32_t, kInBlock> names{};  // name + 1; 0: free
    std::uint32_t next = kNoBlock;
    std::array<float, kInBlock> worths{};
    float unused = 0;
  };
  static_assert(sizeof(Block) == 64);

  struct Generation {
    Interned numbers;
    CommonVector<Block> states;  // indexed by number
    CommonVector<float> visits;  // indexed by number too; separate, because some strategies read those of many states
    CommonVector<Block> more;

    void swap(Generation& other) {
      numbers.swap(other.numbers);
      states.swap(other.states);
      visits.swap(other.visits);
      more.swap(other.more);
    }
    void clear() {
      numbers.clear();
      states.clear();
      visits.clear();
      more.clear();
    }
  };

  static Block& block(Generation& of, std::uint32_t number) {
    return number < kMore ? of.states[number] : of.more[number - kMore];
  }

  [[gnu::noinline]] void meet(std::uint64_t state) {
    const auto number = static_cast<std::uint32_t>(young_.states.size());
    young_.states.push_back({});
    young_.states.back().worths.fill(first_);
    const std::uint32_t before = old_.numbers.find(state);
    young_.visits.push_back(before == Interned::kUnknown ? 0 : old_.visits[before]);
    if (before == Interned::kUnknown) return;
    for (std::uint32_t from = before, to = number;;) {
      const Block& known = block(old_, from);
      block(young_, to).names = known.names;
      block(young_, to).worths = known.worths;
      if ((from = known.next) == kNoBlock) return;
      to = add_after(to);
    }
  }

  [[gnu::noinline]] std::uint32_t search(std::uint32_t number, std::uint32_t name) {
    for (;;) {
      auto& names = block(young_, number).names;
      for (std::uint32_t i = 0; i < kInBlock; ++i) {
        if (names[i] == 0) names[i] = name;
        if (names[i] == name) return number * kStride + i;
      }
      const std::uint32_t next = block(young_, number).next;
      number = next != kNoBlock ? next : add_after(number);
    }
  }

  std::uint32_t add_after(std::uint32_t number) {
    const std::uint32_t added = kMore + static_cast<std::uint32_t>(young_.more.size());
    young_.more.push_back({});
    young_.more.back().worths.fill(first_);
    return block(young_, number).next = added;
  }

  float first_;
  Generation young_;
  Generation old_;
};

}  // namespace heddle::strategy
