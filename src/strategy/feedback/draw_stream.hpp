// The random numbers that a sampler drew in an execution, in a form that can be kept, drawn again, and changed in a few
// places. See fest.cpp.
//
// A draw is identified by its operation and its index among that operation's draws. Its value is a hash of these and a
// seed, except in changed places, which have values of their own. So only the seed and the changes are stored, however
// long the execution, and a change in one place does not shift other draws. After kChangesMost changes, each new change
// undoes an old one.
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

  /// All that is needed to draw the stream again.
  struct Recipe {
    struct Change {
      std::uint32_t who = 0;
      std::uint32_t nth = 0;
      std::uint64_t value = 0;
    };
    std::uint64_t seed = 0;
    std::uint32_t draws = 0;  // the number of draws last time
    std::uint32_t size = 0;
    std::array<Change, kChangesMost> changes{};
  };

  /// From here on, draws follow the recipe except in `mutations` places. `random` must outlive the stream.
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

  /// The recipe of everything drawn since `begin`.
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
  std::array<std::uint8_t, kSlots> slots_{};  // index + 1 in the changes
  CommonVector<Operation> operations_;        // indexed by name
  CommonVector<std::uint32_t> at_;            // the draws to change, ascending
  std::uint32_t next_ = 0;                    // index in at_
};

}  // namespace heddle::strategy
