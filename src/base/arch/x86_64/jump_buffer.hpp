// The contents of a setjmp buffer, as glibc lays it out.
#pragma once

#include <setjmp.h>

#include <cstdint>

namespace heddle {

/// The stack pointer that a jump restores. glibc combines it with a per-thread number from the thread's control block,
/// and rotates it.
inline std::uintptr_t stack_of(const __jmp_buf_tag& where) {
  constexpr int kStackPointer = 6;
  constexpr int kRotated = 17;
  std::uintptr_t number = 0;
  asm("mov %%fs:0x30, %0" : "=r"(number));
  const auto mixed = static_cast<std::uintptr_t>(where.__jmpbuf[kStackPointer]);
  return (mixed >> kRotated | mixed << (64 - kRotated)) ^ number;
}

}  // namespace heddle
