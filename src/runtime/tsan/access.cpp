// Plain memory accesses, which compilers announce before they are made.
#include <cstddef>
#include <cstring>

#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

using namespace heddle;
using namespace heddle::runtime;

namespace {

void range(const void* at, std::size_t bytes, bool writes, const void* place) {
  watch.access_range(at, bytes, writes, place);
}

}  // namespace

#define HEDDLE_TSAN_ACCESS(name, bytes, writes)                                                 \
  HEDDLE_EXPORT void __tsan_##name(void* at) { watch.access<bytes, writes>(at, HEDDLE_PLACE); } \
  HEDDLE_EXPORT void __tsan_##name##_pc(void* at, void* place) { watch.access<bytes, writes>(at, place); }

#define HEDDLE_TSAN_BOTH(name, bytes)                            \
  HEDDLE_EXPORT void __tsan_##name(void* at) {                   \
    watch.access<bytes, false>(at, HEDDLE_PLACE);                \
    watch.access<bytes, true>(at, HEDDLE_PLACE);                 \
  }                                                              \
  HEDDLE_EXPORT void __tsan_##name##_pc(void* at, void* place) { \
    watch.access<bytes, false>(at, place);                       \
    watch.access<bytes, true>(at, place);                        \
  }

#define HEDDLE_TSAN_SIZE(bytes)                          \
  HEDDLE_TSAN_ACCESS(read##bytes, bytes, false)          \
  HEDDLE_TSAN_ACCESS(write##bytes, bytes, true)          \
  HEDDLE_TSAN_ACCESS(volatile_read##bytes, bytes, false) \
  HEDDLE_TSAN_ACCESS(volatile_write##bytes, bytes, true) \
  HEDDLE_TSAN_BOTH(read_write##bytes, bytes)

#define HEDDLE_TSAN_UNALIGNED(bytes)                               \
  HEDDLE_TSAN_ACCESS(unaligned_read##bytes, bytes, false)          \
  HEDDLE_TSAN_ACCESS(unaligned_write##bytes, bytes, true)          \
  HEDDLE_TSAN_ACCESS(unaligned_volatile_read##bytes, bytes, false) \
  HEDDLE_TSAN_ACCESS(unaligned_volatile_write##bytes, bytes, true) \
  HEDDLE_TSAN_BOTH(unaligned_read_write##bytes, bytes)

HEDDLE_TSAN_SIZE(1)
HEDDLE_TSAN_SIZE(2)
HEDDLE_TSAN_SIZE(4)
HEDDLE_TSAN_SIZE(8)
HEDDLE_TSAN_SIZE(16)
HEDDLE_TSAN_UNALIGNED(2)
HEDDLE_TSAN_UNALIGNED(4)
HEDDLE_TSAN_UNALIGNED(8)
HEDDLE_TSAN_UNALIGNED(16)

HEDDLE_EXPORT void __tsan_init() { watch.found_instrumented(); }

HEDDLE_EXPORT void __tsan_func_entry(void* place) { watch.stacks().enter(place); }
HEDDLE_EXPORT void __tsan_func_exit() { watch.stacks().leave(); }

// The pointer to an object's virtual functions: rewriting it with the same value is not a write.
HEDDLE_EXPORT void __tsan_vptr_update(void** at, void* value) {
  if (*at != value) watch.access<sizeof(void*), true>(at, HEDDLE_PLACE);
}
HEDDLE_EXPORT void __tsan_vptr_read(void** at) { watch.access<sizeof(void*), false>(at, HEDDLE_PLACE); }

HEDDLE_EXPORT void __tsan_read_range(void* at, std::size_t bytes) { range(at, bytes, false, HEDDLE_PLACE); }
HEDDLE_EXPORT void __tsan_write_range(void* at, std::size_t bytes) { range(at, bytes, true, HEDDLE_PLACE); }
HEDDLE_EXPORT void __tsan_read_range_pc(void* at, std::size_t bytes, void* place) { range(at, bytes, false, place); }
HEDDLE_EXPORT void __tsan_write_range_pc(void* at, std::size_t bytes, void* place) { range(at, bytes, true, place); }

HEDDLE_EXPORT void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  range(from, bytes, false, HEDDLE_PLACE);
  range(to, bytes, true, HEDDLE_PLACE);
  return std::memcpy(to, from, bytes);
}
HEDDLE_EXPORT void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  range(from, bytes, false, HEDDLE_PLACE);
  range(to, bytes, true, HEDDLE_PLACE);
  return std::memmove(to, from, bytes);
}
HEDDLE_EXPORT void* __tsan_memset(void* at, int value, std::size_t bytes) {
  range(at, bytes, true, HEDDLE_PLACE);
  return std::memset(at, value, bytes);
}
