// The innermost frame of the program below the caller: its stack pointer and the contents of its registers.
//
// It is found by unwinding over heddle's own frames. Together with the bytes of the stack from there on, it is the
// whole private state of an operation: registers that a call may destroy hold nothing that the program will use again.
#pragma once

#include <cstdint>

namespace heddle::engine {

struct ProgramFrame {
  std::uintptr_t stack = 0;     // the program's stack pointer; 0: no frame of the program was found
  std::uint64_t registers = 0;  // hash of the return address and of the registers that calls preserve
};

/// True if heddle's code can be told from the program's. Not possible if heddle is linked into the program itself.
bool knows_own_code();
ProgramFrame innermost_program_frame();

}  // namespace heddle::engine
