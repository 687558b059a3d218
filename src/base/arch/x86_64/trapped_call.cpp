#include "base/arch/x86_64/trapped_call.hpp"

#include <cpuid.h>

#include <cstddef>
#include <cstring>

#include "base/arch/x86_64/frames.hpp"

namespace heddle {
namespace {

// The kernel's ucontext ends with a signal mask of eight bytes; libc's goes on.
constexpr std::size_t kContextBytes = offsetof(ucontext_t, uc_sigmask) + 8;

// Where the kernel notes how many bytes of floating-point and vector registers it saved: struct _fpx_sw_bytes of
// <asm/sigcontext.h>, at the end of the part that every processor has.
constexpr std::size_t kNote = 464;
constexpr std::size_t kPlainBytes = 512;
constexpr std::uint32_t kExtended = 0x46505853;

std::size_t vector_bytes(const char* saved) {
  std::uint32_t note[2];  // a magic number; the size, if the number is there
  std::memcpy(note, saved + kNote, sizeof note);
  return note[0] == kExtended ? note[1] : kPlainBytes;
}

char* below(char* top, std::size_t bytes, std::uintptr_t alignment) {
  return reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(top) - bytes) & ~(alignment - 1));
}

}  // namespace

void TrappedIdentity::answer_without_random() {
  constexpr unsigned kDraws = 1u << 30;  // leaf 1, ecx: rdrand
  constexpr unsigned kSeeds = 1u << 18;  // leaf 7, ebx: rdseed
  const auto leaf = static_cast<unsigned>(registers_[REG_RAX]);
  const auto subleaf = static_cast<unsigned>(registers_[REG_RCX]);
  unsigned a = 0, b = 0, c = 0, d = 0;
  __cpuid_count(leaf, subleaf, a, b, c, d);
  if (leaf == 1) c &= ~kDraws;
  if (leaf == 7 && subleaf == 0) b &= ~kSeeds;
  registers_[REG_RAX] = a;
  registers_[REG_RBX] = b;
  registers_[REG_RCX] = c;
  registers_[REG_RDX] = d;
  registers_[REG_RIP] += 2;
}

void continue_on_program_stack(void* context, void (*function)(void* copy)) {
  auto& from = *static_cast<ucontext_t*>(context);
  greg_t* const registers = from.uc_mcontext.gregs;
  char* stack = reinterpret_cast<char*>(registers[REG_RSP]) - kRedZoneBytes;
  auto* const saved = reinterpret_cast<const char*>(from.uc_mcontext.fpregs);
  if (saved != nullptr) {
    stack = below(stack, vector_bytes(saved), 64);
    std::memcpy(stack, saved, vector_bytes(saved));
  }
  char* const vectors = saved != nullptr ? stack : nullptr;
  stack = below(stack, kContextBytes, 16);
  auto& copy = *reinterpret_cast<ucontext_t*>(stack);
  std::memcpy(&copy, &from, kContextBytes);
  copy.uc_mcontext.fpregs = reinterpret_cast<fpregset_t>(vectors);
  stack -= sizeof(void*);  // as just after a call by the code to which handlers return
  std::memcpy(stack, static_cast<const char*>(context) - sizeof(void*), sizeof(void*));
  registers[REG_RSP] = reinterpret_cast<greg_t>(stack);
  registers[REG_RDI] = reinterpret_cast<greg_t>(&copy);
  registers[REG_RIP] = reinterpret_cast<greg_t>(function);
}

// The kernel put the address to return to just below the context. The code there loads a number and calls the kernel.
const void* end_of_handler(const void* context) {
  const unsigned char* code = nullptr;
  std::memcpy(&code, static_cast<const char*>(context) - sizeof code, sizeof code);
  while (code[0] != 0x0f || code[1] != 0x05) ++code;
  return code;
}

}  // namespace heddle
