// dlopen and dlmopen: heddle looks at what is loaded. libc learns from the return address which module calls, and
// searches where that module says. So these functions do not call those of libc, they jump to them.
#include <dlfcn.h>

#include "base/arch/x86_64/jump_after.hpp"
#include "runtime/front.hpp"
#include "runtime/kernel_calls/traps.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(dlopen);
HEDDLE_REAL(dlmopen);

extern "C" {

[[gnu::used, gnu::visibility("hidden")]] void* heddle_before_dlopen() {
  if (is_controlled()) traps.expect_code();
  return real_dlopen.address_of_code();
}

[[gnu::used, gnu::visibility("hidden")]] void* heddle_before_dlmopen() {
  if (is_controlled()) traps.expect_code();
  return real_dlmopen.address_of_code();
}
}

HEDDLE_EXPORT __attribute__((naked)) void* dlopen(const char*, int) noexcept {
  HEDDLE_JUMP_AFTER(heddle_before_dlopen);
}

HEDDLE_EXPORT __attribute__((naked)) void* dlmopen(Lmid_t, const char*, int) noexcept {
  HEDDLE_JUMP_AFTER(heddle_before_dlmopen);
}
