// A moment of one operation: which one, and how far its own clock had come.
#pragma once

#include <cstdint>

#include "base/ids.hpp"

namespace heddle::races {

/// Ten bits of operation, 22 of clock. 0: never.
using Epoch = std::uint32_t;

inline constexpr unsigned kClockBits = 22;
inline constexpr std::uint32_t kClockMax = (1u << kClockBits) - 1;
inline constexpr std::uint32_t kOperationsMax = 1u << (32 - kClockBits);  // those after them are not watched

constexpr Epoch make_epoch(OperationId who, std::uint32_t clock) { return index(who) << kClockBits | clock; }
constexpr OperationId operation_of(Epoch epoch) { return OperationId{epoch >> kClockBits}; }
constexpr std::uint32_t clock_of(Epoch epoch) { return epoch & kClockMax; }

}  // namespace heddle::races
