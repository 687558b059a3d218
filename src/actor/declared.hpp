// Checks a declaration, and computes what each state has after inheritance.
//
// A state may be declared both by a class and by the classes it extends: the lines of the most derived class win. A
// state may extend other states and groups: its own lines win, and it is an error if two of these have different lines
// for one event.
#pragma once

#include <string>
#include <vector>

#include "heddle/actor/declaration.hpp"

namespace heddle::actor {

/// A state with all its lines, one per event.
struct ResolvedState {
  const TypeInfo* tag = nullptr;
  Heat heat = Heat::warm;
  bool is_start = false;
  std::vector<Line> lines;
  Action entry, exit, idle;
};

/// In the order in which the states were first declared, without groups. Throws ActorError.
std::vector<ResolvedState> resolve(const Declared& declared);

}  // namespace heddle::actor
