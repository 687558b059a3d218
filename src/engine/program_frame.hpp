// The innermost frame of the program under the caller: where its stack ends, and what its registers hold.
//
// Found by unwinding over heddle's own frames. Together with the bytes of the stack from there on it is all that an
// operation knows by itself: registers that a call may destroy hold nothing that the program will use again.
#pragma once

#include <cstdint>

namespace heddle::engine {

struct ProgramFrame {
  std::uintptr_t stack = 0;     // the program's stack pointer; 0: no frame of the program was found
  std::uint64_t registers = 0;  // those that calls preserve and the address to return to, hashed
};

/// Can heddle's code be told from the program's? Not if it is linked into the program itself.
bool knows_own_code();
ProgramFrame innermost_program_frame();

}  // namespace heddle::engine
