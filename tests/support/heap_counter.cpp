#include "support/heap_counter.hpp"

#include <cstdlib>
#include <new>

namespace {
std::uint64_t count = 0;
}

void* operator new(std::size_t size) {
  ++count;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

std::uint64_t heddle::test::heap_allocations() { return count; }
