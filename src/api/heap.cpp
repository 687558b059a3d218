// The heap of an instrumented test: libc's, with the watch over memory told what is allocated and freed. Without that,
// a block that one operation frees and another gets would look as if both had it at once.
#if !defined(__SANITIZE_ADDRESS__)  // which has a heap of its own
#include <malloc.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

// As libc has them, where no lookup is needed: a lookup allocates.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* memory);
}

namespace {

inline void* told(void* memory, const void* place) {
  if (heddle::runtime::memory_is_watched) [[unlikely]]
    heddle::runtime::tell_allocated(memory, malloc_usable_size(memory), place);
  return memory;
}

}  // namespace

HEDDLE_EXPORT void* malloc(std::size_t bytes) noexcept { return told(__libc_malloc(bytes), HEDDLE_PLACE); }

HEDDLE_EXPORT void* calloc(std::size_t count, std::size_t bytes) noexcept {
  return told(__libc_calloc(count, bytes), HEDDLE_PLACE);
}

HEDDLE_EXPORT void free(void* memory) noexcept {
  if (heddle::runtime::memory_is_watched && memory != nullptr) [[unlikely]]
    heddle::runtime::tell_freed(memory, malloc_usable_size(memory), HEDDLE_PLACE);
  __libc_free(memory);
}

HEDDLE_EXPORT void* realloc(void* memory, std::size_t bytes) noexcept {
  if (memory != nullptr && heddle::runtime::memory_is_watched) [[unlikely]]
    heddle::runtime::tell_freed(memory, malloc_usable_size(memory), HEDDLE_PLACE);
  return told(__libc_realloc(memory, bytes), HEDDLE_PLACE);
}

HEDDLE_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return told(__libc_memalign(alignment, bytes), HEDDLE_PLACE);
}
HEDDLE_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return told(__libc_memalign(alignment, bytes), HEDDLE_PLACE);
}
HEDDLE_EXPORT int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) noexcept {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* const memory = __libc_memalign(alignment, bytes);
  if (memory == nullptr) return ENOMEM;
  *result = told(memory, HEDDLE_PLACE);
  return 0;
}
#endif
