// The functions that the C API needs from the library it is linked into. This library cannot resolve source lines.
#include "runtime/capi/session_trace.hpp"

namespace heddle::runtime::capi {

void describe(Trace&) {}

}  // namespace heddle::runtime::capi
