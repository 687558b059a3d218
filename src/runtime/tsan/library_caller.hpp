// Where the program called the C++ library, when the library calls heddle. For example, `new` asks for memory inside
// the library, and that place tells nothing. Found by unwinding, so only for what is recorded.
#pragma once

namespace heddle::runtime {

/// `place` if it is not in the C++ library; otherwise the return address in the innermost function outside of it.
const void* caller_of_library(const void* place);

}  // namespace heddle::runtime
