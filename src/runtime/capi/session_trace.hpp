// The header of a trace: data about the session that made it.
#pragma once

#include <cstdint>
#include <string_view>

#include "trace/trace.hpp"

namespace heddle::runtime::capi {

inline constexpr std::string_view kExploration = "heddle_open";  // begins the name of every C API exploration

std::uint64_t steps_max_of(const TraceHeader& header, std::uint64_t fallback);

/// Fills in what the layer above knows: the process, and the source lines of places. Defined in src/api/c_api.cpp.
void describe(Trace& trace);

}  // namespace heddle::runtime::capi
