// What the header of a trace says about the session that it is of.
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/trace.hpp"

namespace heddle::runtime::capi {

inline constexpr std::string_view kExploration = "heddle_open";  // so begins the name of every exploration of the C API

std::uint64_t steps_max_of(const TraceHeader& header, std::uint64_t fallback);

/// Fills in what the layer above knows: the process, and the source lines of places. Defined in src/api/c_api.cpp.
void describe(Trace& trace);

}  // namespace heddle::runtime::capi
