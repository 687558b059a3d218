// What a program was about to do when a signal stopped it at an instruction, and how to give it the answer.
//
// The context is what the kernel saved below the program's stack pointer and its red zone, and what it loads again when
// the handler returns: all registers, floating-point and vector ones too.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace heddle {

/// A system call that the kernel did not make, as the context of its SIGSYS shows it.
class TrappedCall {
 public:
  explicit TrappedCall(void* context) : registers_(static_cast<ucontext_t*>(context)->uc_mcontext.gregs) {}

  long number() const { return registers_[REG_RAX]; }
  void arguments(long (&into)[6]) const {
    constexpr int kOrder[6] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    for (int i = 0; i < 6; ++i) into[i] = registers_[kOrder[i]];
  }
  /// Just after the instruction.
  const void* place() const { return reinterpret_cast<const void*>(registers_[REG_RIP]); }
  void answer(long result) { registers_[REG_RAX] = result; }
  /// Lets the kernel make the call after all, by another such instruction, which does not come back here.
  void make_at(const void* instruction) { registers_[REG_RIP] = reinterpret_cast<greg_t>(instruction); }

 private:
  greg_t* registers_;
};

/// An instruction that reads the processor's clock, as the context of its SIGSEGV shows it.
class TrappedClock {
 public:
  explicit TrappedClock(void* context) : registers_(static_cast<ucontext_t*>(context)->uc_mcontext.gregs) {}

  const unsigned char* place() const { return reinterpret_cast<const unsigned char*>(registers_[REG_RIP]); }
  bool is_plain() const { return place()[0] == 0x0f && place()[1] == 0x31; }
  bool tells_processor() const { return place()[0] == 0x0f && place()[1] == 0x01 && place()[2] == 0xf9; }
  /// The program goes on behind the instruction.
  void answer(std::uint64_t ticks, std::uint32_t processor) {
    if (tells_processor()) registers_[REG_RCX] = processor;
    registers_[REG_RIP] += tells_processor() ? 3 : 2;
    registers_[REG_RAX] = static_cast<greg_t>(ticks & 0xffff'ffff);
    registers_[REG_RDX] = static_cast<greg_t>(ticks >> 32);
  }

 private:
  greg_t* registers_;
};

/// An instruction that asks for the processor's features, as the context of its SIGSEGV shows it.
class TrappedIdentity {
 public:
  explicit TrappedIdentity(void* context) : registers_(static_cast<ucontext_t*>(context)->uc_mcontext.gregs) {}

  bool is_one() const {
    const auto* const code = reinterpret_cast<const unsigned char*>(registers_[REG_RIP]);
    return code[0] == 0x0f && code[1] == 0xa2;
  }
  /// Asks the processor, which must not fault meanwhile, and takes random numbers from the answer.
  void answer_without_random();

 private:
  greg_t* registers_;
};

/// In a handler on a stack that all operations share: copies the context below the program's own stack pointer and
/// arranges that `function` is called there when the handler returns, with the copy. When `function` returns, the
/// program goes on as the copy says.
void continue_on_program_stack(void* context, void (*function)(void* copy));

/// The instruction of libc that ends a handler. The context is that of a handler that runs now.
const void* end_of_handler(const void* context);

/// The processor's clock.
inline std::uint64_t processor_clock() { return __builtin_ia32_rdtsc(); }

}  // namespace heddle
