// An estimate of how much of its possible behaviour an exploration has shown, with the confidence of that estimate.
#pragma once

#include <cstdint>

namespace heddle {

/// A class is a set of executions that differ only in the order of independent steps.
struct Novelty {
  std::uint64_t executions = 0;  // the executions whose class was determined
  std::uint64_t classes = 0;
  bool is_exact = true;
  double chance = 1;  // that the next execution shows a new class
  double low = 0;     // bounds of the 95 % interval
  double high = 1;
};

}  // namespace heddle
