// What a report shows of a trace: the same trace, with every string made safe to show (base/printable.hpp).
//
// Each report begins with this, so that none of its lines has to remember it.
#pragma once

#include "trace/trace.hpp"

namespace heddle::report {

Trace printable_trace(const Trace& trace);

}  // namespace heddle::report
