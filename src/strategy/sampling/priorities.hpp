// The scheduler of PCT: strict priorities, drawn at random, lowered at a few random points. See pct.cpp.
//
// A choice looks at each enabled operation once and at nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "base/random.hpp"

namespace heddle::strategy {

class Priorities {
 public:
  explicit Priorities(std::uint32_t depth) : depth_(depth) {}

  /// Starts an execution of up to `length` expected choices, with depth-1 change points, each uniform in 1 … length.
  void begin(Random& random, std::uint32_t length) {
    random_ = &random;
    choices_ = 0;
    next_change_ = 0;
    priorities_.clear();
    changes_.clear();
    if (length == 0) return;
    for (std::uint32_t i = 1; i < depth_; ++i) changes_.push_back({1 + random.below(length), i});
    std::sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
      return a.after_choice != b.after_choice ? a.after_choice < b.after_choice : a.priority < b.priority;
    });
  }

  OperationId choose(std::span<const OperationId> enabled) {
    return choose(enabled, [](OperationId) { return true; });
  }

  /// The same, but only steps with `counts(operation)` can be change points.
  template <typename Counts>
  OperationId choose(std::span<const OperationId> enabled, const Counts& counts) {
    OperationId highest = enabled.front();
    std::uint64_t priority = priority_of(highest);
    for (OperationId id : enabled.subspan(1)) {
      const std::uint64_t other = priority_of(id);
      if (other <= priority) continue;
      highest = id;
      priority = other;
    }
    if (!counts(highest)) return highest;
    ++choices_;
    for (; next_change_ < changes_.size() && changes_[next_change_].after_choice == choices_; ++next_change_)
      priorities_[index(highest)] = changes_[next_change_].priority;
    return highest;
  }

  /// The number of counted choices in this execution so far.
  std::uint32_t choices() const { return choices_; }

 private:
  struct Change {
    std::uint32_t after_choice;
    std::uint32_t priority;  // the new priority of the operation that won that choice
  };
  static constexpr std::uint64_t kInitial = 1ull << 63;  // above every priority assigned at a change point

  // Independent draws of 63 bits rank the operations uniformly. The chance that two of n are equal is below n^2 / 2^64.
  std::uint64_t priority_of(OperationId id) {
    if (index(id) >= priorities_.size()) [[unlikely]]
      priorities_.resize(index(id) + 1);
    std::uint64_t& priority = priorities_[index(id)];
    if (priority == 0) priority = random_->next() | kInitial;
    return priority;
  }

  std::uint32_t depth_;
  Random* random_ = nullptr;
  std::uint32_t choices_ = 0;
  std::size_t next_change_ = 0;             // index in changes_
  CommonVector<std::uint64_t> priorities_;  // indexed by operation; 0: not drawn yet
  CommonVector<Change> changes_;            // ascending
};

}  // namespace heddle::strategy
