// Instructions by which code reaches past libc: to the kernel, to the processor's clock, to its random numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle {

enum class SpecialInstruction : std::uint8_t {
  none,
  system_call,
  old_system_call,  // `int $0x80` and `sysenter`: the kernel does not report these
  read_clock,       // rdtsc, rdtscp
  random,           // rdrand, rdseed
};
inline constexpr std::size_t kSpecialInstructions = 5;

/// Recognises one by its bytes. Bytes that match may be part of another instruction.
inline SpecialInstruction special_instruction(std::span<const unsigned char> code) {
  if (code.size() < 2) return SpecialInstruction::none;
  if (code[0] == 0xcd) return code[1] == 0x80 ? SpecialInstruction::old_system_call : SpecialInstruction::none;
  if (code[0] != 0x0f) return SpecialInstruction::none;
  switch (code[1]) {
    case 0x05:
      return SpecialInstruction::system_call;
    case 0x34:
      return SpecialInstruction::old_system_call;
    case 0x31:
      return SpecialInstruction::read_clock;
    case 0x01:
      return code.size() > 2 && code[2] == 0xf9 ? SpecialInstruction::read_clock : SpecialInstruction::none;
    case 0xc7:
      return code.size() > 2 && code[2] >= 0xf0 ? SpecialInstruction::random : SpecialInstruction::none;
    default:
      return SpecialInstruction::none;
  }
}

/// The bytes with which they begin.
inline constexpr unsigned char kSpecialBeginnings[] = {0x0f, 0xcd};

/// Prefixes that may stand before the opcode: operand size, repetition, REX.
constexpr bool is_prefix(unsigned char byte) {
  return byte == 0x66 || byte == 0xf2 || byte == 0xf3 || (byte & 0xf0) == 0x40;
}

}  // namespace heddle
