// How many steps each operation takes, including its descendants' steps, learned from the executions so far.
//
// URW and SURW choose in proportion to the remaining work. Their papers count in one profiling run. Here every
// execution counts: the expectation for an operation is the mean over the last executions in which it ran, the latest
// weighted most.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class LearnedCounts {
 public:
  void begin() {
    names_.begin();
    now_.clear();
  }

  /// Adds the operations created up to `last`. Their remaining steps no longer belong to the operations that created
  /// them.
  void meet(const ScheduleView& view, OperationId last) {
    while (now_.size() <= index(last)) [[unlikely]] {
        const OperationId id{static_cast<std::uint32_t>(now_.size())};
        const std::uint32_t name = names_(view, id);
        const double expected = name < expected_.size() ? expected_[name] : 0;
        const OperationId parent = view.parent(id);
        if (index(parent) < now_.size()) now_[index(parent)].left -= expected;
        now_.push_back({expected, 0, parent});
      }
  }

  /// The remaining steps of a known operation and of those it will still create. At least 1: it is at an event.
  double left(OperationId who) const { return std::max(now_[index(who)].left, 1.0); }

  void count(const ScheduleView& view, OperationId who) {
    meet(view, who);
    Now& now = now_[index(who)];
    now.left -= 1;
    ++now.steps;
  }

  /// The execution is over. Its counts are expected of the next one, unless it was stopped.
  void learn(const Verdict& verdict) {
    if (verdict.kind == VerdictKind::cut || verdict.kind == VerdictKind::livelock) return;
    for (std::size_t i = now_.size(); i-- > 0;) {
      Now& now = now_[i];
      if (now.parent != kNoOperation && index(now.parent) < i) now_[index(now.parent)].steps += now.steps;
      const std::uint32_t name = names_.known(OperationId{static_cast<std::uint32_t>(i)});
      if (expected_.size() <= name) expected_.resize(names_.size());
      double& expected = expected_[name];
      expected = expected == 0 ? now.steps : (expected + now.steps) / 2;
    }
  }

 private:
  struct Now {
    double left = 0;
    double steps = 0;  // steps taken; at the end including its children's
    OperationId parent = kNoOperation;
  };

  OperationNames names_;
  CommonVector<Now> now_;          // indexed by operation
  CommonVector<double> expected_;  // indexed by name
};

}  // namespace heddle::strategy
