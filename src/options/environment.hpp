// What the environment says about an exploration.
#pragma once

#include <string>

#include "options/values.hpp"

namespace heddle::options {

/// Puts what HEDDLE_STRATEGY and its like say in the place of the values. Returns what is wrong; empty: nothing is.
std::string read_environment(Values& values);

/// `HEDDLE_STRATEGY=pct HEDDLE_RACES=ignore`: those that are set and say what to look for, to be typed again.
std::string environment_to_go_on();

}  // namespace heddle::options
