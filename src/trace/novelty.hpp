// How much of what an exploration can show it has shown, as a number and what it is worth.
#pragma once

#include <cstdint>

namespace heddle {

/// A class: executions that differ only in the order of independent steps.
struct Novelty {
  std::uint64_t executions = 0;  // whose class was looked at
  std::uint64_t classes = 0;
  bool is_exact = true;
  double chance = 1;  // that the next execution shows a new class
  double low = 0;     // of 95 %
  double high = 1;
};

}  // namespace heddle
