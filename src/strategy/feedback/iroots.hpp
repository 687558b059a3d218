// Orders of a few accesses in the code that are worth testing, and which of them have been tested: Maple's iRoots.
//
// A dependency a -> b means: one operation accesses a resource at place a, then another accesses it at place b, at
// least one of them changes it, and no other change comes between. An iRoot is one or two dependencies between two
// operations T and U, by places:
//
//   idiom 1   a -> b
//   idiom 2   a1 -> b, b -> a2          T: a1 a2 of one resource     U: b
//   idiom 3   a1 -> b1, b2 -> a2        T: a1 a2 of one resource     U: b1 b2 of the same
//   idiom 4   a1 -> b1, b2 -> a2        T: x at a1, then y at a2     U: x at b1, then y at b2
//   idiom 5   a1 -> b1, b2 -> a2        T: x at a1, then y at a2     U: y at b2, then x at b1
//
// Each iRoot is stored once. It is unknown, predicted, covered (it happened) or given up (it was tried often enough).
// Predicted iRoots wait in one queue for each idiom, idiom 1 first. One with two dependencies is tried only if each of
// them has been covered alone. At most 32,768 iRoots are known; later ones are neither remembered nor tested.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/hash.hpp"
#include "base/page_vector.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

struct IRoot {
  using Site = std::uint32_t;
  static constexpr Site kNoSite = ~0u;

  std::uint32_t idiom = 1;
  Site a1 = kNoSite;
  Site b1 = kNoSite;
  Site b2 = kNoSite;  // idiom 1: none; idiom 2: b1
  Site a2 = kNoSite;  // idiom 1: none

  std::uint64_t key() const {
    return combine(mix(std::uint64_t{idiom} << 60 | std::uint64_t{a1} << 32 | b1), std::uint64_t{b2} << 32 | a2);
  }
};

class IRoots {
 public:
  static constexpr std::size_t kIdioms = 5;
  static constexpr std::uint32_t kNone = ~0u;
  static constexpr std::uint32_t kTries = 4;

  /// The iRoot happened.
  void cover(const IRoot& root) {
    const std::uint32_t which = know(root);
    if (which == kNone) return;
    covered_ += states_[which].state != State::covered;
    states_[which].state = State::covered;
  }

  /// The iRoot might happen.
  void predict(const IRoot& root) {
    const std::uint32_t which = know(root);
    if (which == kNone || states_[which].state != State::unknown) return;
    states_[which].state = State::predicted;
    lines_[root.idiom - 1].waiting.push_back(which);
  }

  /// The next iRoot to try, or kNone. It counts as tried.
  std::uint32_t take() {
    for (Line& line : lines_)
      while (line.next < line.waiting.size()) {
        const std::uint32_t which = line.waiting[line.next++];
        if (states_[which].state != State::predicted || !are_parts_covered(roots_[which])) continue;
        ++states_[which].tries;
        return which;
      }
    return kNone;
  }
  bool is_anything_left() const {
    for (const Line& line : lines_)
      for (std::size_t i = line.next; i < line.waiting.size(); ++i)
        if (states_[line.waiting[i]].state == State::predicted && are_parts_covered(roots_[line.waiting[i]]))
          return true;
    return false;
  }

  /// The execution that tried it is over. It returns to the end of its queue unless it was covered or tried often
  /// enough.
  void put_back(std::uint32_t which) {
    if (states_[which].state != State::predicted) return;
    if (states_[which].tries == kTries)
      states_[which].state = State::given_up;
    else
      lines_[roots_[which].idiom - 1].waiting.push_back(which);
  }

  const IRoot& operator[](std::uint32_t which) const { return roots_[which]; }
  bool is_covered(const IRoot& root) const {
    const std::uint32_t which = names_.find(root.key());
    return which != Interned::kUnknown && states_[which].state == State::covered;
  }
  bool is_covered(std::uint32_t which) const { return states_[which].state == State::covered; }
  /// Includes the current try.
  std::uint32_t tries(std::uint32_t which) const { return states_[which].tries; }
  std::uint32_t covered() const { return covered_; }
  std::size_t size() const { return roots_.size(); }

 private:
  static constexpr std::uint32_t kMax = 1u << 15;

  enum class State : std::uint8_t { unknown, predicted, covered, given_up };
  struct Status {
    State state = State::unknown;
    std::uint8_t tries = 0;
  };
  struct Line {
    CommonVector<std::uint32_t> waiting;  // at most kTries entries for each iRoot
    std::size_t next = 0;
  };

  std::uint32_t know(const IRoot& root) {
    const std::uint64_t key = root.key();
    if (names_.size() == kMax) {
      const std::uint32_t found = names_.find(key);
      return found == Interned::kUnknown ? kNone : found;
    }
    const std::uint32_t which = names_(key);
    if (which == roots_.size()) {
      roots_.push_back(root);
      states_.push_back({});
    }
    return which;
  }

  bool are_parts_covered(const IRoot& root) const {
    return root.idiom == 1 || (is_covered(IRoot{1, root.a1, root.b1}) && is_covered(IRoot{1, root.b2, root.a2}));
  }

  Interned names_;
  CommonVector<IRoot> roots_;
  CommonVector<Status> states_;  // indexed like roots_
  std::array<Line, kIdioms> lines_;
  std::uint32_t covered_ = 0;
};

}  // namespace heddle::strategy
