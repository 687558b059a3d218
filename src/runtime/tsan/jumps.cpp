// Jumps out of functions: the functions left this way do not report it, so their frames are removed here.
#include <setjmp.h>

#include "base/arch/x86_64/jump_buffer.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

using namespace heddle::runtime;

// The form of longjmp with _FORTIFY_SOURCE. Declared as libc declares the others: to Clang that is part of the type.
extern "C" void __longjmp_chk(__jmp_buf_tag*, int) noexcept __attribute__((noreturn));

HEDDLE_REAL(longjmp);
HEDDLE_REAL(_longjmp);
HEDDLE_REAL(siglongjmp);
HEDDLE_REAL(__longjmp_chk);

#define HEDDLE_JUMP(name)                                                                       \
  HEDDLE_EXPORT __attribute__((noreturn)) void name(__jmp_buf_tag* where, int value) noexcept { \
    watch.stacks().jumped_to(heddle::stack_of(*where));                                         \
    real_##name(where, value);                                                                  \
    __builtin_unreachable();                                                                    \
  }

HEDDLE_JUMP(longjmp)
HEDDLE_JUMP(_longjmp)
HEDDLE_JUMP(siglongjmp)
HEDDLE_JUMP(__longjmp_chk)
