// The checks of a declaration, and what each state has after inheritance.
//
// A state may be declared by a class and by what the class extends: the lines of the nearest class win. It may extend
// other states and groups: its own lines win, and two of these that have different lines for one event are an error.
#pragma once

#include <string>
#include <vector>

#include "heddle/actor/declaration.hpp"

namespace heddle::actor {

/// A state with all its lines, one an event.
struct ResolvedState {
  const TypeInfo* tag = nullptr;
  Heat heat = Heat::warm;
  bool is_start = false;
  std::vector<Line> lines;
  Action entry, exit, idle;
};

/// In the order in which they were first declared, groups left out. Throws ActorError.
std::vector<ResolvedState> resolve(const Declared& declared);

}  // namespace heddle::actor
