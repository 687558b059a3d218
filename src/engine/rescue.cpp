#include "engine/rescue.hpp"

namespace heddle::engine {
namespace {

void** current = nullptr;  // where the running attempt goes on if it fails; null: none runs

}  // namespace

// The compiler's own functions: those of libc are intercepted, and save more than is needed.
[[gnu::noinline]] bool attempt(void (*function)(void*), void* argument) {
  void* here[5];
  void** volatile const outer = current;
  if (__builtin_setjmp(here) != 0) {
    current = outer;
    return false;
  }
  current = here;
  function(argument);
  current = outer;
  return true;
}

[[gnu::noinline]] void end_attempt() {
  if (current == nullptr) return;
  void** const there = current;
  current = nullptr;
  __builtin_longjmp(there, 1);
}

}  // namespace heddle::engine
