#include "base/arch/x86_64/instruction_length.hpp"

#include <cstdint>

namespace heddle {
namespace {

using Byte = unsigned char;

constexpr bool is_between(Byte value, Byte low, Byte high) { return value >= low && value <= high; }

/// What follows an opcode.
struct Rest {
  bool is_valid = true;
  bool has_address = false;  // the byte that names registers and memory, with what belongs to it
  std::size_t constant = 0;  // bytes of an immediate value or a distance
};

struct Prefixes {
  bool is_16_bit = false;
  bool is_wide = false;  // REX.W
  bool is_short_address = false;
};

std::size_t four_or_two(const Prefixes& prefixes) { return prefixes.is_16_bit ? 2 : 4; }

/// Opcodes below 0x40: eight groups of arithmetic, all of the same form.
Rest arithmetic(Byte opcode, const Prefixes& prefixes) {
  const Byte form = opcode & 7;
  if (form < 4) return {.has_address = true};
  if (form == 4) return {.constant = 1};
  if (form == 5) return {.constant = four_or_two(prefixes)};
  return {.is_valid = false};
}

/// The first three bits after the opcode decide whether `test` (0) or another of its group follows.
bool is_test(std::span<const Byte> after) { return !after.empty() && (after[0] >> 3 & 7) < 2; }

Rest from_80_to_bf(Byte opcode, const Prefixes& prefixes) {
  if (is_between(opcode, 0xa0, 0xa3)) return {.constant = prefixes.is_short_address ? 4u : 8u};
  if (opcode == 0x80 || opcode == 0x83) return {.has_address = true, .constant = 1};
  if (opcode == 0x81) return {.has_address = true, .constant = four_or_two(prefixes)};
  if (opcode == 0x82 || opcode == 0x9a) return {.is_valid = false};
  if (is_between(opcode, 0x84, 0x8f)) return {.has_address = true};
  if (opcode == 0xa8 || is_between(opcode, 0xb0, 0xb7)) return {.constant = 1};
  if (opcode == 0xa9) return {.constant = four_or_two(prefixes)};
  if (is_between(opcode, 0xb8, 0xbf)) return {.constant = prefixes.is_wide ? 8 : four_or_two(prefixes)};
  return {};
}

Rest from_c0(Byte opcode, const Prefixes& prefixes, std::span<const Byte> after) {
  switch (opcode) {
    case 0xc0:
    case 0xc1:
    case 0xc6:
      return {.has_address = true, .constant = 1};
    case 0xc7:
      return {.has_address = true, .constant = four_or_two(prefixes)};
    case 0xc2:
    case 0xca:
      return {.constant = 2};
    case 0xc8:
      return {.constant = 3};
    case 0xcd:
    case 0xeb:
      return {.constant = 1};
    case 0xe8:
    case 0xe9:
      return {.constant = 4};
    case 0xf6:
      return {.has_address = true, .constant = is_test(after) ? 1u : 0u};
    case 0xf7:
      return {.has_address = true, .constant = is_test(after) ? four_or_two(prefixes) : 0};
    case 0xce:
    case 0xd4:
    case 0xd5:
    case 0xd6:
    case 0xea:
      return {.is_valid = false};
    default:
      break;
  }
  if (is_between(opcode, 0xe0, 0xe7)) return {.constant = 1};
  const bool has_address = is_between(opcode, 0xd0, 0xd3) || is_between(opcode, 0xd8, 0xdf) || opcode >= 0xfe;
  return {.has_address = has_address};
}

Rest one_byte(Byte opcode, const Prefixes& prefixes, std::span<const Byte> after) {
  if (opcode < 0x40) return arithmetic(opcode, prefixes);
  if (opcode >= 0xc0) return from_c0(opcode, prefixes, after);
  if (opcode >= 0x80) return from_80_to_bf(opcode, prefixes);
  if (opcode >= 0x70) return {.constant = 1};
  switch (opcode) {
    case 0x60:
    case 0x61:
      return {.is_valid = false};
    case 0x63:
      return {.has_address = true};
    case 0x68:
      return {.constant = four_or_two(prefixes)};
    case 0x69:
      return {.has_address = true, .constant = four_or_two(prefixes)};
    case 0x6a:
      return {.constant = 1};
    case 0x6b:
      return {.has_address = true, .constant = 1};
    default:
      return {};
  }
}

/// Shuffles, shifts and comparisons: the same ones with and without the vector prefixes.
bool takes_selector(Byte opcode) {
  return is_between(opcode, 0x70, 0x73) || opcode == 0xc2 || is_between(opcode, 0xc4, 0xc6);
}

Rest two_bytes(Byte opcode) {
  if (is_between(opcode, 0x80, 0x8f)) return {.constant = 4};
  if (takes_selector(opcode) || opcode == 0xa4 || opcode == 0xac || opcode == 0xba || opcode == 0x0f)
    return {.has_address = true, .constant = 1};
  const bool is_alone = is_between(opcode, 0x05, 0x09) || opcode == 0x0b || opcode == 0x0e ||
                        is_between(opcode, 0x30, 0x37) || opcode == 0x77 || is_between(opcode, 0xa0, 0xa2) ||
                        is_between(opcode, 0xa8, 0xaa) || is_between(opcode, 0xc8, 0xcf);
  const bool is_valid = opcode != 0x04 && opcode != 0x0a && opcode != 0x0c && !is_between(opcode, 0x24, 0x27);
  return {.is_valid = is_valid, .has_address = !is_alone};
}

/// Opcodes of an instruction with a vector prefix, by the table that the prefix names.
Rest vector(unsigned table, Byte opcode) {
  if (table == 1) return {.has_address = opcode != 0x77, .constant = takes_selector(opcode) ? 1u : 0u};
  if (table == 3) return {.has_address = true, .constant = 1};
  return {.is_valid = table == 2 || table == 5 || table == 6, .has_address = true};
}

/// The byte that names registers and memory, and the distance that belongs to it. 0: the code ends before it does.
std::size_t address_length(std::span<const Byte> code) {
  if (code.empty()) return 0;
  const unsigned mode = code[0] >> 6;
  const unsigned base = code[0] & 7;
  if (mode == 3) return 1;
  std::size_t length = 1;
  bool is_far = mode == 0 && base == 5;  // relative to the instruction
  if (base == 4) {
    if (code.size() < 2) return 0;
    ++length;
    is_far = mode == 0 && (code[1] & 7) == 5;
  }
  if (mode == 1) return length + 1;
  return length + (mode == 2 || is_far ? 4 : 0);
}

struct Reader {
  std::span<const Byte> code;
  std::size_t at = 0;

  bool has(std::size_t bytes) const { return at + bytes <= code.size(); }
  Byte next() { return code[at++]; }
  std::span<const Byte> rest() const { return code.subspan(at); }
};

Prefixes read_prefixes(Reader& reader) {
  Prefixes prefixes;
  for (; reader.has(1); ++reader.at) {
    const Byte byte = reader.code[reader.at];
    if (byte == 0x66)
      prefixes.is_16_bit = true;
    else if (byte == 0x67)
      prefixes.is_short_address = true;
    else if (byte != 0xf0 && byte != 0xf2 && byte != 0xf3 && byte != 0x2e && byte != 0x36 && byte != 0x3e &&
             byte != 0x26 && byte != 0x64 && byte != 0x65)
      break;
  }
  if (!reader.has(1) || (reader.code[reader.at] & 0xf0) != 0x40) return prefixes;
  prefixes.is_wide = (reader.next() & 8) != 0;
  return prefixes;
}

/// `opcode` begins a vector prefix of this many further bytes.
Rest read_vector(Reader& reader, Byte prefix) {
  const std::size_t bytes = prefix == 0xc5 ? 1 : prefix == 0xc4 ? 2 : 3;
  if (!reader.has(bytes + 1)) return {.is_valid = false};
  const unsigned table = prefix == 0xc5 ? 1 : reader.code[reader.at] & (prefix == 0xc4 ? 0x1f : 7);
  reader.at += bytes;
  return vector(table, reader.next());
}

Rest read_opcode(Reader& reader, const Prefixes& prefixes) {
  if (!reader.has(1)) return {.is_valid = false};
  const Byte opcode = reader.next();
  if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62) return read_vector(reader, opcode);
  if (opcode != 0x0f) return one_byte(opcode, prefixes, reader.rest());
  if (!reader.has(1)) return {.is_valid = false};
  const Byte second = reader.next();
  if (second != 0x38 && second != 0x3a) return two_bytes(second);
  if (!reader.has(1)) return {.is_valid = false};
  ++reader.at;
  return {.has_address = true, .constant = second == 0x3a ? 1u : 0u};
}

}  // namespace

std::size_t instruction_length(std::span<const unsigned char> code) {
  constexpr std::size_t kLongest = 15;
  Reader reader{code.first(code.size() < kLongest ? code.size() : kLongest)};
  const Prefixes prefixes = read_prefixes(reader);
  const Rest rest = read_opcode(reader, prefixes);
  if (!rest.is_valid) return 0;
  if (rest.has_address) {
    const std::size_t bytes = address_length(reader.rest());
    if (bytes == 0) return 0;
    reader.at += bytes;
  }
  return reader.has(rest.constant) ? reader.at + rest.constant : 0;
}

}  // namespace heddle
