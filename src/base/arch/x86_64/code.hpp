// Machine code in ELF files: just enough decoding to find calls.
#pragma once

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace heddle {

inline constexpr Elf64_Half kElfMachine = EM_X86_64;

/// Does the loader store the address of a function from another module there?
constexpr bool is_function_slot(std::uint64_t relocation_type) {
  return relocation_type == R_X86_64_JUMP_SLOT || relocation_type == R_X86_64_GLOB_DAT;
}

/// A call or jump to another function, recognised by its bytes. Bytes that match may be part of another instruction.
struct Branch {
  std::size_t bytes = 0;    // 0: no branch here
  bool is_call = false;     // a direct call, which returns
  bool is_by_slot = false;  // goes to the address stored at the target, as -fno-plt compiles it
  std::int64_t offset = 0;  // from the end of the instruction to its target
};

inline Branch branch_at(std::span<const unsigned char> code, std::size_t at) {
  const auto has = [&](std::size_t bytes) { return at + bytes <= code.size(); };
  Branch branch;
  if (has(5) && (code[at] == 0xe8 || code[at] == 0xe9))
    branch = {.bytes = 5, .is_call = code[at] == 0xe8};
  else if (has(6) && code[at] == 0xff && (code[at + 1] == 0x15 || code[at + 1] == 0x25))
    branch = {.bytes = 6, .is_by_slot = true};
  else
    return branch;
  std::int32_t offset = 0;
  std::memcpy(&offset, code.data() + at + branch.bytes - sizeof offset, sizeof offset);
  branch.offset = offset;
  return branch;
}

/// A stub of the procedure linkage table: `jmp *slot(%rip)`, possibly after prefixes that some processors require.
/// Returns the offset of the slot from the start of the stub, or 0 if this is not a stub.
inline constexpr std::size_t kStubBytesMost = 11;
inline std::int64_t slot_of_stub(std::span<const unsigned char> code) {
  constexpr unsigned char kEndbranch[] = {0xf3, 0x0f, 0x1e, 0xfa};
  std::size_t at = code.size() >= 4 && std::memcmp(code.data(), kEndbranch, 4) == 0 ? 4 : 0;
  if (at < code.size() && code[at] == 0xf2) ++at;
  const bool is_jump = at + 1 < code.size() && code[at] == 0xff && code[at + 1] == 0x25;
  const Branch jump = is_jump ? branch_at(code, at) : Branch{};
  return jump.bytes == 0 ? 0 : static_cast<std::int64_t>(at + jump.bytes) + jump.offset;
}

}  // namespace heddle
