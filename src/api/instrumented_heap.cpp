// libheddle_memory.so contains the heap of an instrumented test (src/tsan_standin/heap.cpp), and reports to here.
#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

HEDDLE_EXPORT void __heddle_allocated(const void* block, std::size_t bytes, const void* place) {
  heddle::runtime::tell_allocated(block, bytes, place);
}

HEDDLE_EXPORT void __heddle_freed(const void* block, std::size_t bytes, const void* place) {
  heddle::runtime::tell_freed(block, bytes, place);
}
