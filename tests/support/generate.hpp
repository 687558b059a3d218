// Random programs as data. They have no loops, so every execution of one ends or deadlocks.
#pragma once

#include <cstdint>

#include "base/random.hpp"
#include "support/program.hpp"

namespace heddle::test {

struct Size {
  std::uint32_t operations_max = 4;  // with main; at least 2
  std::uint32_t actions_max = 5;     // of each, besides creating and joining
  std::uint32_t objects_max = 2;     // of each kind
};

Program generate(Random& random, const Size& size = {});

}  // namespace heddle::test
