// Where the program called the C++ library, when that calls heddle. `new` asks for memory there, and that tells
// nothing. Found by unwinding, so only for what is recorded.
#pragma once

namespace heddle::runtime {

/// `place` if it is not in the C++ library; else where the innermost function outside of it goes on.
const void* caller_of_library(const void* place);

}  // namespace heddle::runtime
