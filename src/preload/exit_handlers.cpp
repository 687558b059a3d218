// What is to run when the program ends: handlers of atexit, destructors of statics.
//
// They run in the opposite order of their registration, so to register one is a step: another operation may do so
// before.
#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;

extern "C" {
int __cxa_atexit(void (*function)(void*), void* object, void* module) noexcept;
extern void* __dso_handle;  // of this library
}

HEDDLE_REAL(__cxa_atexit);

/// What is static in this library is never destroyed: the program's handlers run in every execution, and heddle must
/// outlive them.
HEDDLE_EXPORT int __cxa_atexit(void (*function)(void*), void* object, void* module) noexcept {
  if (module == &__dso_handle) return 0;
  if (engine::is_controlled()) runtime::front.step_if_others_can(HEDDLE_PLACE);
  return real___cxa_atexit(function, object, module);
}
