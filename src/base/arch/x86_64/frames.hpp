// The layout of the frames of functions and signal handlers, as the System V ABI defines it.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>

namespace heddle {

/// The registers that a call preserves, by DWARF number: rbx, rbp, r12 to r15.
inline constexpr int kPreservedRegisters[] = {3, 6, 12, 13, 14, 15};

/// A function may use this many bytes below its stack pointer without reserving them.
inline constexpr std::ptrdiff_t kRedZoneBytes = 128;

/// What a function's frame pointer points to, where the compiler keeps one: the caller's frame pointer and the return
/// address. The caller's stack ends above them.
struct LinkedFrame {
  std::uintptr_t caller;
  std::uintptr_t return_address;
};
inline const LinkedFrame& frame_at(std::uintptr_t frame) { return *reinterpret_cast<const LinkedFrame*>(frame); }
constexpr std::uintptr_t stack_above(std::uintptr_t frame) { return frame + sizeof(LinkedFrame); }

/// The instruction that a signal interrupted. `context` is the handler's third argument.
inline std::uintptr_t interrupted_instruction(const void* context) {
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}

/// The interrupted code has just been called: the context becomes that of its caller, in the middle of the call. False:
/// its stack pointer is not in this stack.
inline bool undo_call(void* context, std::uintptr_t low, std::uintptr_t high) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const auto stack = static_cast<std::uintptr_t>(registers[REG_RSP]);
  if (stack < low || stack + sizeof stack > high) return false;
  registers[REG_RIP] = *reinterpret_cast<const greg_t*>(stack) - 1;  // within the call instruction
  registers[REG_RSP] += static_cast<greg_t>(sizeof stack);
  return true;
}

}  // namespace heddle
