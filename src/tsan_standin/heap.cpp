// The heap of an instrumented test: libc's heap, with heddle informed about allocations and frees. Otherwise, a block
// that one operation frees and another gets would look as if both had it at once. (Under `heddle run` the heap is
// heddle's own.)
#include <malloc.h>

#include <cerrno>
#include <cstddef>

#define HEDDLE_PLACE __builtin_return_address(0)

extern "C" {

// Defined in libheddle.so; absent in a program that runs by itself.
[[gnu::weak]] void __heddle_allocated(const void* block, std::size_t bytes, const void* place);
[[gnu::weak]] void __heddle_freed(const void* block, std::size_t bytes, const void* place);

// libc's functions under names that need no lookup: a lookup allocates.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);

}  // extern "C"

namespace {

void* told(void* memory, const void* place) {
  if (memory != nullptr && &__heddle_allocated != nullptr)
    __heddle_allocated(memory, malloc_usable_size(memory), place);
  return memory;
}

void tell_freed(void* memory, const void* place) {
  if (memory != nullptr && &__heddle_freed != nullptr) __heddle_freed(memory, malloc_usable_size(memory), place);
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) { return told(__libc_malloc(bytes), HEDDLE_PLACE); }

void* calloc(std::size_t count, std::size_t bytes) { return told(__libc_calloc(count, bytes), HEDDLE_PLACE); }

void free(void* memory) {
  tell_freed(memory, HEDDLE_PLACE);
  __libc_free(memory);
}

void* realloc(void* memory, std::size_t bytes) {
  tell_freed(memory, HEDDLE_PLACE);
  return told(__libc_realloc(memory, bytes), HEDDLE_PLACE);
}

void* memalign(std::size_t alignment, std::size_t bytes) {
  return told(__libc_memalign(alignment, bytes), HEDDLE_PLACE);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return told(__libc_memalign(alignment, bytes), HEDDLE_PLACE);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* const memory = __libc_memalign(alignment, bytes);
  if (memory == nullptr) return ENOMEM;
  *result = told(memory, HEDDLE_PLACE);
  return 0;
}

}  // extern "C"
