// The alternatives at a scheduling point, in one fixed order: the current operation first, then round-robin in the
// order of creation.
//
// Number 0 is what the non-preemptive round-robin scheduler of the SCTBench study (Thomson, Donaldson and Betts 2016,
// section 2.4) would choose, and number j is what it chooses after j delays. An operation that yields, or that can only
// wait for its own timeout, has given up its turn, so it comes last. The study has no yields.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/hash.hpp"
#include "base/ids.hpp"
#include "strategy/strategy.hpp"

namespace heddle::strategy {

class Alternatives {
 public:
  explicit Alternatives(const ScheduleView& view)
      : enabled_(view.enabled), first_(first(view)), preempts_(at(0) == view.current) {}

  std::uint32_t size() const { return static_cast<std::uint32_t>(enabled_.size()); }

  OperationId at(std::uint32_t j) const {
    const std::uint32_t position = first_ + j;
    return enabled_[position < size() ? position : position - size()];
  }

  /// Is every alternative other than number 0 a preemption?
  bool leaving_preempts() const { return preempts_; }

  /// Distinguishes points with different alternatives, except for one chance in 2^32.
  std::uint32_t shape() const {
    std::uint64_t h = ((std::uint64_t{size()} << 32) | first_) * kGolden;
    for (OperationId id : enabled_) h = (h ^ index(id)) * kGolden;
    return static_cast<std::uint32_t>(mix(h));
  }

  /// The same for a choice of a value. It differs from the shape of any point with operations, except for the same
  /// chance.
  static std::uint32_t shape_of_values(std::uint32_t bound) {
    return static_cast<std::uint32_t>(mix(~std::uint64_t{bound}));
  }

 private:
  static std::uint32_t first(const ScheduleView& view) {
    const auto begin = view.enabled.begin();
    const auto end = view.enabled.end();
    if (view.current == kNoOperation) return 0;
    const auto found =
        view.current_yields ? std::upper_bound(begin, end, view.current) : std::lower_bound(begin, end, view.current);
    return found == end ? 0 : static_cast<std::uint32_t>(found - begin);
  }

  EnabledView enabled_;
  std::uint32_t first_;  // position in enabled_ of number 0
  bool preempts_;        // the current operation is number 0: it is enabled, and has not given up its turn
};

}  // namespace heddle::strategy
