// The guards of function-local statics: an operation that finds one initialised has learned from the operation that did
// it. The C++ library does the work, in code that is not instrumented.
//
// An execution that fails inside an initialisation leaves it unfinished. In a body that is called again, the next
// execution would wait for it for ever, so it is abandoned then, as after an exception.
#include <dlfcn.h>

#include <cstdint>

#include "base/page_vector.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/guards.hpp"
#include "runtime/tsan/watch.hpp"

using namespace heddle;
using namespace heddle::runtime;

namespace {

/// Null in a program without its own C++ library: then only heddle's statics are guarded, and only by the functions
/// below.
template <typename Function>
Function* in_library(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::uint8_t& is_done(std::uint64_t* guard) { return *reinterpret_cast<std::uint8_t*>(guard); }

PageVector<std::uint64_t*> begun;  // by operations of this execution, and not ended

void note_end(const std::uint64_t* guard) {
  for (std::size_t i = begun.size(); i > 0; --i)
    if (begun[i - 1] == guard) return begun.erase(i - 1);
}

void abandon(std::uint64_t* guard) {
  static auto* const real = in_library<void(std::uint64_t*)>("__cxa_guard_abort");
  if (real != nullptr) real(guard);
}

}  // namespace

void heddle::runtime::abandon_initialisations() {
  for (std::uint64_t* const guard : begun) abandon(guard);
  begun.clear();
}

HEDDLE_EXPORT int __cxa_guard_acquire(std::uint64_t* guard) {
  static auto* const real = in_library<int(std::uint64_t*)>("__cxa_guard_acquire");
  const int mine = real != nullptr ? real(guard) : is_done(guard) == 0;
  if (is_watched()) acquires(variable_at(guard));
  if (mine != 0 && is_controlled()) begun.push_back(guard);
  return mine;
}

HEDDLE_EXPORT void __cxa_guard_release(std::uint64_t* guard) noexcept {
  static auto* const real = in_library<void(std::uint64_t*)>("__cxa_guard_release");
  if (is_watched()) releases(variable_at(guard));
  note_end(guard);
  if (real != nullptr)
    real(guard);
  else
    is_done(guard) = 1;
}

HEDDLE_EXPORT void __cxa_guard_abort(std::uint64_t* guard) noexcept {
  note_end(guard);
  abandon(guard);
}
