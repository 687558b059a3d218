// Small bodies, each of which leaves something to choose: of every kind, before the first thread and after it.
//
// They are compiled once, and run as a whole program (tests/run_programs/choices.cpp) and in process
// (tests/cli/isolation_test.cpp). They do not know heddle.
#pragma once

#include <span>

namespace choices {

struct Body {
  const char* name;
  void (*function)();
};

std::span<const Body> all();

}  // namespace choices
