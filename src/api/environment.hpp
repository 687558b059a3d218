// What the environment says about an exploration.
#pragma once

#include <string>

#include "heddle/heddle.hpp"

namespace heddle {

/// The options with what HEDDLE_STRATEGY and its like say in their place, and with a name. Throws WrongUse.
Options with_environment(const Options& given, const CallSite& where);

/// The trace that HEDDLE_REPLAY names; empty: none.
std::string trace_to_replay();

}  // namespace heddle
