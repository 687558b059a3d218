// Inside heddle, memory functions go straight to libc, under names that are not intercepted. An instrumented program
// defines functions with these names that report each call to heddle.
#include <stddef.h>

#define HEDDLE_OWN __attribute__((visibility("hidden")))

void* __memcpy_chk(void* to, const void* from, size_t bytes, size_t room);
void* __memmove_chk(void* to, const void* from, size_t bytes, size_t room);
void* __memset_chk(void* at, int value, size_t bytes, size_t room);

HEDDLE_OWN void* memcpy(void* to, const void* from, size_t bytes) { return __memcpy_chk(to, from, bytes, ~(size_t)0); }
HEDDLE_OWN void* memmove(void* to, const void* from, size_t bytes) {
  return __memmove_chk(to, from, bytes, ~(size_t)0);
}
HEDDLE_OWN void* memset(void* at, int value, size_t bytes) { return __memset_chk(at, value, bytes, ~(size_t)0); }
