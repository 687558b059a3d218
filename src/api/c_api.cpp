// What the C API (src/runtime/capi) needs for its traces and cannot see from its layer.
#include <utility>

#include "api/process.hpp"
#include "report/symbolizer.hpp"
#include "runtime/capi/session_trace.hpp"

namespace heddle::runtime::capi {

void describe(Trace& trace) {
  TraceHeader process = header_of_process();
  trace.header.program = std::move(process.program);
  trace.header.arguments = std::move(process.arguments);
  trace.header.directory = std::move(process.directory);
  trace.header.build_id = std::move(process.build_id);
  report::symbolize(trace);
}

}  // namespace heddle::runtime::capi
