// What the C API asks of whoever it is linked into: here nothing that knows source lines is at hand.
#include "runtime/capi/session_trace.hpp"

namespace heddle::runtime::capi {

void describe(Trace&) {}

}  // namespace heddle::runtime::capi
