// The guards of function-local statics: whoever finds one initialised has learned from the operation that did it. The
// C++ library does the work, in code that tells nothing.
#include <dlfcn.h>

#include <cstdint>

#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

using namespace heddle;
using namespace heddle::runtime;

namespace {

/// Null in a program without a C++ library of its own: then only heddle's statics are guarded, and by nobody else.
template <typename Function>
Function* in_library(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::uint8_t& is_done(std::uint64_t* guard) { return *reinterpret_cast<std::uint8_t*>(guard); }

}  // namespace

HEDDLE_EXPORT int __cxa_guard_acquire(std::uint64_t* guard) {
  static auto* const real = in_library<int(std::uint64_t*)>("__cxa_guard_acquire");
  const int mine = real != nullptr ? real(guard) : is_done(guard) == 0;
  if (is_watched()) acquires(variable_at(guard));
  return mine;
}

HEDDLE_EXPORT void __cxa_guard_release(std::uint64_t* guard) noexcept {
  static auto* const real = in_library<void(std::uint64_t*)>("__cxa_guard_release");
  if (is_watched()) releases(variable_at(guard));
  if (real != nullptr)
    real(guard);
  else
    is_done(guard) = 1;
}
