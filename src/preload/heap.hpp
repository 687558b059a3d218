// The heap of the program: an arena of heddle's own, at a fixed address, so that a block gets the same address in every
// execution and the whole heap can be put back by copying it.
#pragma once

#include <cstddef>

namespace heddle::preload {

/// All of it that was ever used, from its first byte; the rest is zero.
struct HeapExtent {
  char* begin = nullptr;
  std::size_t bytes = 0;
};
HeapExtent heap_extent();
/// Does the program allocate from here? Not if it brings functions of its own, as a sanitizer does.
bool is_heap_of_program();

}  // namespace heddle::preload
