// Compares what heddle's search shows of a program with what the program can do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oracle/explored.hpp"
#include "oracle/program.hpp"

namespace heddle::oracle {

struct Bounds {
  std::size_t states = 20'000;       // of the naive interpreter
  std::uint64_t executions = 2'000;  // of the search
};

enum class Compared : std::uint8_t { same, too_large, misses, shows_impossible };

struct Comparison {
  Compared result = Compared::same;
  std::string text;  // what differs, for a person
  std::uint64_t executions = 0;
};

/// A search that promises every fair schedule only may miss outcomes, if threads pause in the program.
Comparison compare(const Program& program, const std::string& strategy, const Bounds& bounds, On executor);

}  // namespace heddle::oracle
