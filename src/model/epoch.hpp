// A moment in one operation: the operation's id and the value of its own clock.
#pragma once

#include <cstdint>

#include "base/ids.hpp"

namespace heddle::model {

/// 10 bits for the operation, 22 for the clock. 0: never.
using Epoch = std::uint32_t;

inline constexpr unsigned kClockBits = 22;
inline constexpr std::uint32_t kClockMax = (1u << kClockBits) - 1;
inline constexpr std::uint32_t kOperationsMax = 1u << (32 - kClockBits);  // later operations are not watched

constexpr Epoch make_epoch(OperationId who, std::uint32_t clock) { return index(who) << kClockBits | clock; }
constexpr OperationId operation_of(Epoch epoch) { return OperationId{epoch >> kClockBits}; }
constexpr std::uint32_t clock_of(Epoch epoch) { return epoch & kClockMax; }

}  // namespace heddle::model
