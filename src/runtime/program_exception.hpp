// The exception that ended the program, told by the program's own C++ library.
#pragma once

#include <cstddef>

namespace heddle::runtime {

/// Did the C++ library of the program make the call that returns to `address`?
bool is_in_cpp_library(const void* address);

/// What the program's exception in flight says of itself; an empty text if there is none.
void describe_program_exception(char* text, std::size_t size);

}  // namespace heddle::runtime
