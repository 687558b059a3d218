// Jumps out of functions: those that are left tell nothing of it, so their frames are taken off here.
#include <setjmp.h>

#include <cstdint>

#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

using namespace heddle::runtime;

// What longjmp becomes with _FORTIFY_SOURCE. Written as libc writes it of the others: to Clang that is part of the
// type.
extern "C" void __longjmp_chk(__jmp_buf_tag*, int) noexcept __attribute__((noreturn));

HEDDLE_REAL(longjmp);
HEDDLE_REAL(_longjmp);
HEDDLE_REAL(siglongjmp);
HEDDLE_REAL(__longjmp_chk);

namespace {

/// The stack pointer that a jump goes to. glibc mixes it with a number that each thread has in its control block, and
/// rotates it.
std::uintptr_t target_of(const __jmp_buf_tag* where) {
  constexpr int kStackPointer = 6;
  constexpr int kRotated = 17;
  std::uintptr_t number = 0;
  asm("mov %%fs:0x30, %0" : "=r"(number));
  const auto mixed = static_cast<std::uintptr_t>(where->__jmpbuf[kStackPointer]);
  return (mixed >> kRotated | mixed << (64 - kRotated)) ^ number;
}

}  // namespace

#define HEDDLE_JUMP(name)                                                                       \
  HEDDLE_EXPORT __attribute__((noreturn)) void name(__jmp_buf_tag* where, int value) noexcept { \
    watch.stacks().jumped_to(target_of(where));                                                 \
    real_##name(where, value);                                                                  \
    __builtin_unreachable();                                                                    \
  }

HEDDLE_JUMP(longjmp)
HEDDLE_JUMP(_longjmp)
HEDDLE_JUMP(siglongjmp)
HEDDLE_JUMP(__longjmp_chk)
