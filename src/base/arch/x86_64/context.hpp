// Switching stacks on x86-64 System V.
//
// The switch is inlined, so that the compiler saves only what is live. It leaves by an indirect jump: a `ret` would be
// mispredicted, because the processor's return stack holds the addresses of the other side. The control bits of MXCSR
// and of the x87 unit belong to a thread, so they are switched too, but loaded only when they differ. Loading MXCSR
// costs tens of nanoseconds once the status flags differ, which happens in any floating-point program.
#pragma once

#include <cstdint>

namespace heddle {

struct Context {
  void* stack = nullptr;
  void* resume = nullptr;
  void* frame = nullptr;
  std::uint32_t mxcsr = 0x1f80;  // the processor's default
  std::uint16_t x87 = 0x037f;
};

inline constexpr std::uint32_t kMxcsrControl = 0xffc0;  // the other bits are status flags

/// Saves this thread's control bits in `from` and loads those of `to`.
[[gnu::always_inline]] inline void switch_control_bits(Context& from, const Context& to) {
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(from.mxcsr), "=m"(from.x87));
  if (((from.mxcsr ^ to.mxcsr) & kMxcsrControl) != 0) [[unlikely]] {
    asm volatile("ldmxcsr %0" ::"m"(to.mxcsr));
  }
  if (from.x87 != to.x87) [[unlikely]] {
    asm volatile("fldcw %0" ::"m"(to.x87));
  }
}

[[gnu::always_inline]] inline void switch_context(Context& from, Context& to) {
  switch_control_bits(from, to);
  Context* source = &from;
  Context* target = &to;
  asm volatile(
      "leaq 1f(%%rip), %%rax\n\t"
      "movq %%rsp, 0(%[source])\n\t"
      "movq %%rax, 8(%[source])\n\t"
      "movq %%rbp, 16(%[source])\n\t"
      "movq 0(%[target]), %%rsp\n\t"
      "movq 16(%[target]), %%rbp\n\t"
      "jmpq *8(%[target])\n\t"
      "1:"
      : [source] "+D"(source), [target] "+S"(target)
      :
      : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "memory", "cc", "xmm0",
        "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13",
        "xmm14", "xmm15");
}

/// Switches to `to` for good. Nothing of the calling context is saved.
[[noreturn, gnu::always_inline]] inline void jump_to_context(const Context& to) {
  Context unused;
  switch_control_bits(unused, to);
  asm volatile(
      "movq 0(%[target]), %%rsp\n\t"
      "movq 16(%[target]), %%rbp\n\t"
      "jmpq *8(%[target])"
      :
      : [target] "S"(&to)
      : "memory");
  __builtin_unreachable();
}

/// Prepares a fresh context that calls `function` on a stack below `top`. The function must not return.
inline void make_context(Context& context, char* top, void (*function)()) {
  auto* slot = reinterpret_cast<std::uintptr_t*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15});
  *--slot = 0;
  *--slot = 0;  // a null return address ends unwinding here; the stack is aligned as after a call
  *--slot = 0;
  context.stack = slot;
  context.resume = reinterpret_cast<void*>(function);
}

}  // namespace heddle
