// The library that this code is part of, and its addresses in memory.
#pragma once

#include <cstdint>

namespace heddle::engine {

struct OwnModule {
  std::uintptr_t low = 0;  // code and data
  std::uintptr_t high = 0;
  bool is_apart = false;  // it is a library and not part of the program

  bool contains(std::uintptr_t address) const { return address >= low && address < high; }
};

/// Found at the first call.
const OwnModule& own_module();

}  // namespace heddle::engine
