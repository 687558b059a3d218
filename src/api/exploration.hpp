// One exploration of a body, as requested by the program, by its environment, and by a trace to replay.
#pragma once

#include <string>

#include "heddle/heddle.hpp"
#include "options/values.hpp"

namespace heddle {

struct Exploration {
  std::string name;        // for traces and reports
  std::string given_name;  // by the program; empty: the name is the place of the call
  bool is_quiet = false;
  std::string replayed;  // the trace that HEDDLE_REPLAY names; empty: none
  options::Values values;
};

/// Throws WrongUse.
Exploration exploration_of(const Options& given, const CallSite& where);

}  // namespace heddle
