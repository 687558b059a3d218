// Time inside an execution. It begins at a fixed date. It passes when a sleep or a timed wait expires, and by a
// microsecond each time a clock is read, so that a loop that waits for a date terminates.
#pragma once

#include <time.h>

#include <cstdint>

#include "engine/scheduler.hpp"

namespace heddle::runtime {

struct Deadline {
  std::uint64_t time = engine::kNever;  // in the scheduler's time
  int error = 0;                        // EINVAL: invalid time
};

/// An absolute time of a clock. Null: never.
Deadline deadline_at(clockid_t clock, const timespec* until);
/// This duration from now. Null: never.
Deadline deadline_after(const timespec* duration);

/// The program's view of a clock now. This is a step of its own, unless no other operation could come before it.
timespec read_clock(clockid_t clock, const void* place);

}  // namespace heddle::runtime
