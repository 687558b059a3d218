// What a learning strategy knows about states and their actions, in bounded memory.
//
// A state has a number and a visit count. Each action that was possible in it has one number, its worth. A choice looks
// up the state once. The first seven actions of a state are stored together, mostly in the order in which they are
// asked for. Further ones form a list in the order of first sight, and a table finds each of them: looking up an action
// costs the same whatever their number.
//
// A long exploration keeps seeing new states, most of them once. So there are two generations. Whatever is looked up
// lives in the young one. When that is full, the old one is forgotten and the young one becomes old. A state that was
// not met while `kGeneration` others were is forgotten. At most two generations are kept: 50 MiB.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class StateTable {
 public:
  static constexpr std::uint32_t kGeneration = 1u << 16;  // states; seven actions beyond a state's first count as one

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
    if (place < kInBlock) {
      if (young_.states[state].names[place] == name + 1) [[likely]]
        return state * kStride + place;
    } else if (follows(state, name + 1)) {
      return kFurther + at_;
    }
    return search(state, name + 1);
  }
  float& worth(std::uint32_t action) {
    return action < kFurther ? young_.states[action / kStride].worths[action % kStride]
                             : young_.further[action - kFurther].worth;
  }

  /// The highest worth of the state's actions, of which at least one was asked for.
  float best(std::uint32_t state) const {
    const Block& block = young_.states[state];
    float most = block.worths[0];
    for (std::uint32_t i = 1; i < kInBlock && block.names[i] != 0; ++i) most = std::max(most, block.worths[i]);
    for (std::uint32_t at = block.further; at != kNone; at = young_.further[at].next)
      most = std::max(most, young_.further[at].worth);
    return most;
  }

  /// Called between executions; makes room if necessary. Returns true if it did: then all numbers and positions change.
  bool forget() {
    if (young_.states.size() + young_.further.size() / kInBlock < kGeneration) return false;
    old_.swap(young_);
    young_.clear();
    at_ = kNone;
    return true;
  }
  /// Called after `forget`: keeps the visit counts of the remaining states, but nothing about their actions.
  void forget_worths() {
    for (Block& block : old_.states) block.worths.fill(first_);
    for (Further& action : old_.further) action.worth = first_;
  }

 private:
  static constexpr std::uint32_t kInBlock = 7;
  static constexpr std::uint32_t kStride = 8;          // between the positions of two blocks
  static constexpr std::uint32_t kFurther = 1u << 31;  // positions from here on refer to `further`
  static constexpr std::uint32_t kNone = ~0u;

  /// The first actions of a state. One cache line.
  struct Block {
    std::array<std::uint32_t, kInBlock> names{};  // name + 1; 0: free
    std::uint32_t further = kNone;                // the first action that does not fit here
    std::array<float, kInBlock> worths{};
    std::uint32_t last = kNone;  // the last one
  };
  static_assert(sizeof(Block) == 64);

  struct Further {
    std::uint32_t state;
    std::uint32_t name;  // name + 1
    std::uint32_t next;  // of this state; kNone: the last
    float worth;
  };

  struct Generation {
    Interned numbers;
    CommonVector<Block> states;  // indexed by number
    CommonVector<float> visits;  // indexed by number too; separate, because some strategies read those of many states
    CommonVector<Further> further;
    Interned places;  // of the further actions, by state and name

    void swap(Generation& other) {
      numbers.swap(other.numbers);
      states.swap(other.states);
      visits.swap(other.visits);
      further.swap(other.further);
      places.swap(other.places);
    }
    void clear() {
      numbers.clear();
      states.clear();
      visits.clear();
      further.clear();
      places.clear();
    }
  };

  [[gnu::noinline]] void meet(std::uint64_t state) {
    const auto number = static_cast<std::uint32_t>(young_.states.size());
    young_.states.push_back({});
    young_.states.back().worths.fill(first_);
    const std::uint32_t before = old_.numbers.find(state);
    young_.visits.push_back(before == Interned::kUnknown ? 0 : old_.visits[before]);
    if (before == Interned::kUnknown) return;
    const Block& known = old_.states[before];
    young_.states[number].names = known.names;
    young_.states[number].worths = known.worths;
    for (std::uint32_t at = known.further; at != kNone; at = old_.further[at].next)
      young_.further[further(number, old_.further[at].name)].worth = old_.further[at].worth;
  }

  [[gnu::noinline]] std::uint32_t search(std::uint32_t state, std::uint32_t name) {
    auto& names = young_.states[state].names;
    for (std::uint32_t i = 0; i < kInBlock; ++i) {
      if (names[i] == 0) names[i] = name;
      if (names[i] == name) return state * kStride + i;
    }
    return kFurther + (at_ = further(state, name));
  }

  /// Is this the action after the one that was last asked for, as when all are asked for in their order?
  bool follows(std::uint32_t state, std::uint32_t name) {
    if (at_ == kNone) return false;
    const std::uint32_t next = young_.further[at_].next;
    if (next == kNone || young_.further[next].state != state || young_.further[next].name != name) return false;
    at_ = next;
    return true;
  }

  /// The index of the action in `further`.
  std::uint32_t further(std::uint32_t state, std::uint32_t name) {
    const std::uint32_t at = young_.places(std::uint64_t{state} << 32 | name);
    if (at < young_.further.size()) return at;
    young_.further.push_back({state, name, kNone, first_});
    Block& block = young_.states[state];
    (block.last == kNone ? block.further : young_.further[block.last].next) = at;
    block.last = at;
    return at;
  }

  float first_;
  Generation young_;
  Generation old_;
  std::uint32_t at_ = kNone;  // in `further`: the action that was last asked for
};

}  // namespace heddle::strategy
