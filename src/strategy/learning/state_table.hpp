// What a learning strategy knows of states and of the actions in them, within bounds.
//
// A state has a number, how often it was met, and for each action that was possible in it one number, its worth. A
// choice looks the state up once; its actions stand together, and mostly in the order in which they are asked for.
//
// A long exploration sees ever new states, most of them once. So there are two generations: what is looked up lives in
// the young one, and when that is full, the old one is forgotten and the young one becomes old. Whatever was not met
// while `kGeneration` others were is forgotten; the most that is kept is two generations, 50 MiB.
#pragma once

#include <array>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/support/names.hpp"

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
  float& visits(std::uint32_t state) { return young_.visits[state]; }

  /// Where the action of this name stands in the state, until the next `forget`. `place`: the how-manyeth it is among
  /// those that are asked for.
  std::uint32_t action(std::uint32_t state, std::uint32_t name, std::uint32_t place) {
    if (place < kInBlock && young_.states[state].names[place] == name + 1) [[likely]]
      return state * kStride + place;
    return search(state, name + 1);
  }
  float& worth(std::uint32_t action) { return block(young_, action / kStride).worths[action % kStride]; }

  /// Between executions: makes room if it has to. True: it did, and nothing stands where it stood.
  bool forget() {
    if (young_.states.size() + young_.more.size() < kGeneration) return false;
    old_.swap(young_);
    young_.clear();
    return true;
  }
  /// After `forget`: of what it kept, how often each state was met is still known, but nothing of the actions.
  void forget_worths() {
    for (Block& block : old_.states) block.worths.fill(first_);
    for (Block& block : old_.more) block.worths.fill(first_);
  }

 private:
  static constexpr std::uint32_t kInBlock = 7;
  static constexpr std::uint32_t kStride = 8;       // between the places of blocks
  static constexpr std::uint32_t kMore = 1u << 28;  // from this number on, a block is one of `more`
  static constexpr std::uint32_t kNoBlock = ~0u;

  /// The actions of a state; those that have no room stand in the next one. A line of the cache.
  struct Block {
    std::array<std::uint32_t, kInBlock> names{};  // one more than the name; 0: nobody's
    std::uint32_t next = kNoBlock;
    std::array<float, kInBlock> worths{};
    float unused = 0;
  };
  static_assert(sizeof(Block) == 64);

  struct Generation {
    Interned numbers;
    CommonVector<Block> states;  // indexed by number
    CommonVector<float> visits;  // the same; apart, because some look at those of many states
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
