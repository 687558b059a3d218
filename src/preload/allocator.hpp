// The allocator that the program brings: one that it is linked with, or that the user loads before it.
//
// heddle is loaded before all of them, so calls of malloc arrive here first. A program that uses libc's allocator gets
// heddle's heap in its place (preload/heap.cpp), which can be restored. One with an allocator of its own keeps it, and
// what it does is explored like the rest of the program; such a program is not rewound.
#pragma once

#include <cstddef>
#include <string>

namespace heddle::preload {

struct Allocator {
  void* (*malloc)(std::size_t);
  void (*free)(void*);
  void* (*calloc)(std::size_t, std::size_t);
  void* (*realloc)(void*, std::size_t);
  int (*posix_memalign)(void**, std::size_t, std::size_t);
  void* (*aligned_alloc)(std::size_t, std::size_t);
  void* (*memalign)(std::size_t, std::size_t);
  void* (*valloc)(std::size_t);
  void* (*pvalloc)(std::size_t);
  std::size_t (*malloc_usable_size)(void*);
};

enum class Heap : unsigned char { unknown, of_heddle, of_program };
extern constinit Heap heap_in_use;  // unknown until the first block is asked for
extern constinit Allocator allocator;

/// Called for the first block. Blocks that the search itself asks for are heddle's.
void find_allocator();

/// Does the program get memory from elsewhere? True as well if it defines malloc itself, or a sanitizer does: then no
/// call arrives here.
bool has_own_allocator();
/// For the user: which one it brings.
std::string describe_allocator();

}  // namespace heddle::preload
