// What the environment says about an exploration.
#pragma once

#include <string>

#include "options/values.hpp"

namespace heddle::options {

/// Overrides the values with HEDDLE_STRATEGY and the like. Returns what is wrong; empty: nothing is.
std::string read_environment(Values& values);

/// `HEDDLE_STRATEGY=pct HEDDLE_RACES=ignore`: the variables that are set and affect the search, ready to type again.
std::string environment_to_go_on();

}  // namespace heddle::options
