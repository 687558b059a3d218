// Counts what a test program takes from the heap with `new`. A program that calls this gets counting operators.
#pragma once

#include <cstdint>

namespace heddle::test {

std::uint64_t heap_allocations();

}  // namespace heddle::test
