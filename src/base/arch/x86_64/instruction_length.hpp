// The length of an instruction, without knowing what it does.
//
// Used to tell an instruction from the same bytes inside another one: code is decoded from the start of a function up
// to them. Tables of Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A; in 64-bit
// mode.
#pragma once

#include <cstddef>
#include <span>

namespace heddle {

/// 0: these bytes are not an instruction, or they end in the middle of one.
std::size_t instruction_length(std::span<const unsigned char> code);

}  // namespace heddle
