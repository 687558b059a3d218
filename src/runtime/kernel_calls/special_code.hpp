// Code of the program, and of libraries that it loads, that reaches past libc: it calls the kernel by an instruction of
// its own, reads the processor's clock, or draws from the processor's random numbers.
//
// The code of libc, the dynamic linker, the kernel's own page, heddle and a sanitizer does not count. All executable
// segments are searched, once for each module. Bytes that look like such an instruction count
// only if an instruction begins there, as far as the unwinder's table says where functions begin.
#pragma once

#include <array>
#include <cstdint>

#include "base/arch/x86_64/special_instruction.hpp"

namespace heddle::runtime {

struct SpecialPlace {
  char module[200] = "";     // a path
  std::uint64_t offset = 0;  // in the module; 0: there is none
};

/// The first of each kind, indexed by SpecialInstruction.
struct SpecialCode {
  std::array<SpecialPlace, kSpecialInstructions> first;

  const SpecialPlace& of(SpecialInstruction kind) const { return first[static_cast<std::size_t>(kind)]; }
  bool has(SpecialInstruction kind) const { return of(kind).offset != 0; }
};

/// Searches all that is loaded, unless that was done before and nothing has been loaded since.
const SpecialCode& special_code();

/// Where libc is, and whether an address belongs to code that does not count.
struct CodeRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
CodeRange code_of_libc();
bool is_code_of_program(const void* address);

}  // namespace heddle::runtime
