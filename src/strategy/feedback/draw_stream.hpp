// The random numbers that a sampler drew in an execution, as something that can be kept, drawn again, and changed in a
// few places. See fest.cpp.
//
// A draw is known by the operation for which it is made and as the how-manyeth of it, and is a hash of that and of a
// seed, except in the places that were changed, which have values of their own. So what is kept is the seed and the
// changes, however long the execution, and a change in one place does not move what others draw. After kChangesMost
// changes, each new one undoes an old one.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "base/random.hpp"

namespace heddle::strategy {

class DrawStream {
 public:
  static constexpr std::uint32_t kChangesMost = 64;

  /// What a stream is made of.
  struct Recipe {
    struct Change {
      std::uint32_t who = 0;
      std::uint32_t nth = 0;
      std::uint64_t value = 0;
    };
    std::uint64_t seed = 0;
    std::uint32_t draws = 0;  // when it was last drawn
    std::uint32_t size = 0;
    std::array<Change, kChangesMost> changes{};
  };

  /// Draws from here on are those of the recipe, but for `mutations` places of it. `random` lives as long.
  void begin(const Recipe& recipe, std::uint32_t mutations, Random& random) {
    random_ = &random;
    const std::uint32_t draws = recipe.draws;
    recipe_ = recipe;
    recipe_.draws = 0;
    operations_.clear();
    mutations = std::min({mutations, draws, kChangesMost});
    for (; recipe_.size + mutations > kChangesMost; --recipe_.size)
      recipe_.changes[random.below(recipe_.size)] = recipe_.changes[recipe_.size - 1];
    at_.clear();
    for (std::uint32_t i = 0; i < mutations; ++i) at_.push_back(1 + random.below(draws));
    std::sort(at_.begin(), at_.end());
    next_ = 0;
    index_changes();
  }

  /// The next draw of the operation with this name.
  std::uint64_t draw(std::uint32_t who) {
    if (operations_.size() <= who) [[unlikely]]
      operations_.resize(who + 1);
    Operation& mine = operations_[who];
    if (mine.draws == 0) mine.seed = combine(recipe_.seed, who);
    const std::uint32_t nth = mine.draws++;
    ++recipe_.draws;
    if (next_ < at_.size() && at_[next_] == recipe_.draws) [[unlikely]]
      return changed(who, nth);
    if (recipe_.size > 0)
      if (const Recipe::Change* change = find(who, nth)) return change->value;
    return mix(mine.seed + nth * kGolden);
  }

  /// Of all that was drawn since `begin`.
  const Recipe& recipe() const { return recipe_; }

 private:
  static constexpr std::uint32_t kSlots = 4 * kChangesMost;
  static constexpr std::uint8_t kFree = 0;
  static_assert(kChangesMost < 256);

  struct Operation {
    std::uint64_t seed = 0;
    std::uint32_t draws = 0;
  };

  static std::uint32_t slot(std::uint32_t who, std::uint32_t nth) {
    return static_cast<std::uint32_t>(((std::uint64_t{who} << 32 | nth) * kGolden) >> 32) % kSlots;
  }

  void index_changes() {
    slots_.fill(kFree);
    for (std::uint32_t i = 0; i < recipe_.size; ++i) add_to_index(i);
  }
  void add_to_index(std::uint32_t i) {
    std::uint32_t at = slot(recipe_.changes[i].who, recipe_.changes[i].nth);
    while (slots_[at] != kFree) at = (at + 1) % kSlots;
    slots_[at] = static_cast<std::uint8_t>(i + 1);
  }

  Recipe::Change* find(std::uint32_t who, std::uint32_t nth) {
    for (std::uint32_t at = slot(who, nth); slots_[at] != kFree; at = (at + 1) % kSlots) {
      Recipe::Change& change = recipe_.changes[slots_[at] - 1u];
      if (change.who == who && change.nth == nth) return &change;
    }
    return nullptr;
  }

  [[gnu::noinline]] std::uint64_t changed(std::uint32_t who, std::uint32_t nth) {
    while (next_ < at_.size() && at_[next_] == recipe_.draws) ++next_;
    Recipe::Change* change = find(who, nth);
    if (change == nullptr) {
      change = &recipe_.changes[recipe_.size];
      *change = {who, nth, 0};
      add_to_index(recipe_.size++);
    }
    return change->value = random_->next();
  }

  Random* random_ = nullptr;
  Recipe recipe_;
  std::array<std::uint8_t, kSlots> slots_{};  // places of changes, counted from 1
  CommonVector<Operation> operations_;        // indexed by name
  CommonVector<std::uint32_t> at_;            // draws that are to be changed, ascending
  std::uint32_t next_ = 0;                    // of those
};

}  // namespace heddle::strategy
