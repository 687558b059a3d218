// The exception that ended the program, as described by the program's own C++ library.
#pragma once

#include <cstddef>

namespace heddle::runtime {

/// True if the program's C++ library made the call that returns to `address`.
bool is_in_cpp_library(const void* address);

/// The description of the program's exception in flight; an empty text if there is none.
void describe_program_exception(char* text, std::size_t size);

}  // namespace heddle::runtime
