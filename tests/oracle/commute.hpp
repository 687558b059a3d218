// Steps that are independent commute: two neighbours, each of which could come first, lead to the same state and to the
// same outcome when they change places.
//
// The claim under test is a function that says of two steps whether they are independent; partial-order reduction is
// sound only if it never says so wrongly.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "oracle/explored.hpp"
#include "oracle/program.hpp"

namespace heddle::oracle {

using Independent = std::function<bool(const Step& first, const Step& second)>;

/// What they touched.
bool independent_by_footprints(const Step& first, const Step& second);

struct Commuted {
  std::uint64_t swaps = 0;  // that were tried
  std::string finding;      // the first that led elsewhere; empty: none
};

/// Every pair of neighbours in some of the program's executions.
Commuted commute(const Program& program, std::uint64_t executions_max, const Independent& independent);

}  // namespace heddle::oracle
