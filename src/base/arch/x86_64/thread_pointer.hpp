// The thread pointer: the FS base on x86-64. libc and the compiler identify the running thread by it.
#pragma once

#include <cstdint>

namespace heddle {

inline std::uintptr_t thread_pointer() {
  std::uintptr_t value;
  asm volatile("movq %%fs:0x10, %0" : "=r"(value));  // `self`: points to the thread block that contains it
  return value;
}

/// Does the kernel let a program set it without a system call (AT_HWCAP2, bit 1)? Call this once and keep the answer.
bool can_write_thread_pointer();
void set_thread_pointer_by_system_call(std::uintptr_t value);

inline void set_thread_pointer(std::uintptr_t value, bool directly) {
  if (directly) [[likely]] {
    asm volatile("wrfsbase %0" ::"r"(value) : "memory");
  } else {
    set_thread_pointer_by_system_call(value);
  }
}

}  // namespace heddle
