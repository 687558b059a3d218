// Generates programs, compares each under several strategies, and explains those that differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/compare.hpp"
#include "oracle/generate.hpp"

namespace heddle::oracle {

struct Plan {
  Theme theme = Theme::all;
  std::uint64_t first_seed = 0;
  std::uint64_t programs = 100;
  std::vector<std::string> strategies = {"dfs"};
  Bounds bounds = {};
  On executor = On::carrier;
  std::size_t findings_max = 1;
  unsigned seconds_max = 600;  // a search that takes longer hangs
};

struct Searched {
  std::uint64_t compared = 0;         // programs that were small enough, once for each strategy
  std::vector<std::string> findings;  // each a program, as small as it gets, and what differs
};

Searched search(const Plan& plan);

/// How a program differs under one strategy, or that it is too large to tell; empty if it does not differ. It is
/// compared in a process of its own.
std::string difference(const Program& program, const std::string& strategy, const Bounds& bounds, On executor);

}  // namespace heddle::oracle
