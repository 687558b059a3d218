// The length of an execution, learned from earlier ones: the k of PCT and of random delays.
//
// It is counted in scheduling points where two or more operations are enabled; at the others nothing can be changed.
// The papers assume that k is known. Here it is the longest execution so far that ended by itself. An execution that
// was stopped at the step bound counts only while there is no other, because a single spin would stretch k and thin out
// every later choice. k is 0 in the first execution, which therefore has no change points and no delays.
#pragma once

#include <algorithm>
#include <cstdint>

#include "trace/verdict.hpp"

namespace heddle::strategy {

class LearnedLength {
 public:
  void learn(std::uint32_t length, const Verdict& verdict) {
    const bool stopped = verdict.kind == VerdictKind::cut || verdict.kind == VerdictKind::livelock;
    std::uint32_t& longest = stopped ? longest_stopped_ : longest_ended_;
    longest = std::max(longest, length);
  }

  std::uint32_t value() const { return longest_ended_ != 0 ? longest_ended_ : longest_stopped_; }

 private:
  std::uint32_t longest_ended_ = 0;
  std::uint32_t longest_stopped_ = 0;
};

}  // namespace heddle::strategy
