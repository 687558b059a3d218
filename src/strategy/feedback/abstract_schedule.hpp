// An abstract schedule: a few demands on which event reads from which, and how one schedule is made from another. See
// rff.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/random.hpp"
#include "strategy/feedback/reads_from.hpp"

namespace heddle::strategy {

/// The pair must be seen, or must not be seen.
struct Constraint {
  ReadsFrom::Pair pair;
  bool is_wanted = false;
  bool operator==(const Constraint&) const = default;
};

class AbstractSchedule {
 public:
  static constexpr std::uint32_t kMost = 16;

  std::span<const Constraint> constraints() const { return {constraints_.data(), size_}; }

  /// The pair must be seen, even if it was excluded before.
  void demand(const ReadsFrom::Pair& pair, Random& random) {
    for (Constraint& constraint : std::span(constraints_).first(size_))
      if (constraint.pair == pair) {
        constraint.is_wanted = true;
        return;
      }
    add({pair, true}, random);
  }

  /// Makes one change: adds or removes a constraint, negates one, or lets one read from another event. It may also
  /// change nothing: then the same demands are met in another way.
  void mutate(Random& random, const ReadsFrom& known) {
    enum Kind : std::uint32_t { keep, insert, swap, remove, negate, kKinds };
    const auto kind = static_cast<Kind>(random.below(size_ == 0 ? swap : kKinds));
    Constraint& any = constraints_[size_ == 0 ? 0 : random.below(size_)];
    switch (kind) {
      case insert:
        return add_any(random, known);
      case swap:
        any.pair.from = known.any_change(random, known.resource_of(any.pair.event));
        return;
      case remove:
        any = constraints_[--size_];
        return;
      case negate:
        any.is_wanted = !any.is_wanted;
        return;
      default:
        return;
    }
  }

 private:
  static constexpr std::uint32_t kUnwantedOf = 9;  // one new constraint in this many wants its pair

  void add_any(Random& random, const ReadsFrom& known) {
    const ReadsFrom::Pair pair = known.any_pair(random);
    if (pair.event != ReadsFrom::kNothing) add({pair, random.below(kUnwantedOf) == 0}, random);
  }

  void add(const Constraint& constraint, Random& random) {
    constraints_[size_ < kMost ? size_++ : random.below(size_)] = constraint;
  }

  std::array<Constraint, kMost> constraints_{};
  std::uint32_t size_ = 0;
};

}  // namespace heddle::strategy
