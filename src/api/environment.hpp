// What the environment says about an exploration.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heddle/heddle.hpp"

namespace heddle {

/// The options with what HEDDLE_STRATEGY and its like say in their place, and with a name. Throws WrongUse.
Options with_environment(const Options& given, const CallSite& where);

/// The names in a list with commas between them.
std::vector<std::string> names_in(std::string_view list);

/// The trace that HEDDLE_REPLAY names; empty: none.
std::string trace_to_replay();

}  // namespace heddle
