// The program's heap: an arena of heddle's own at a fixed address. Every block gets the same address in every
// execution, and the whole heap can be restored by copying it.
#pragma once

#include <cstddef>

namespace heddle::preload {

/// Everything that was ever used, from the first byte; the rest is zero.
struct HeapExtent {
  char* begin = nullptr;
  std::size_t bytes = 0;
};
HeapExtent heap_extent();

}  // namespace heddle::preload
