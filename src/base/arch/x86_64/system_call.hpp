// A system call, made directly by its instruction.
#pragma once

namespace heddle::raw {

/// libc's `syscall`, if heddle's own calls must go through it: the kernel then hands every call that does not come from
/// libc's code to heddle, as if it were the program's (runtime/kernel_calls/traps.hpp). Null, the usual case: they go
/// directly.
extern long (*through_libc)(long number, ...);
long syscall6_through_libc(long number, long a, long b, long c, long d, long e, long f);

/// Touches nothing of the calling thread's storage, errno included. Not for threads whose calls the kernel hands over.
[[gnu::always_inline]] inline long syscall6_directly(long number, long a, long b, long c, long d, long e, long f) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;  // negative: minus errno
}

inline long syscall6(long number, long a, long b, long c, long d, long e, long f) {
  if (through_libc != nullptr) [[unlikely]]
    return syscall6_through_libc(number, a, b, c, d, e, f);
  return syscall6_directly(number, a, b, c, d, e, f);
}

/// Is this the address just after a system-call instruction, or just before one that the kernel will restart?
inline bool is_at_system_call(const unsigned char* code) {
  return (code[-2] == 0x0f && code[-1] == 0x05) || (code[0] == 0x0f && code[1] == 0x05);
}

}  // namespace heddle::raw
