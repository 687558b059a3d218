// Time inside an execution: it begins at a fixed date, passes when a sleep or a timed wait expires, and by a
// microsecond each time somebody reads a clock, so that a loop which waits for a date comes to an end.
#pragma once

#include <time.h>

#include <cstdint>

#include "engine/scheduler.hpp"

namespace heddle::runtime {

struct Deadline {
  std::uint64_t time = engine::kNever;  // of the scheduler
  int error = 0;                        // EINVAL: no such time
};

/// An absolute time of a clock. Null: never.
Deadline deadline_at(clockid_t clock, const timespec* until);
/// So long from now. Null: never.
Deadline deadline_after(const timespec* duration);

/// What a clock of the program shows now: a step of its own, unless no other operation could come before it.
timespec read_clock(clockid_t clock, const void* place);

}  // namespace heddle::runtime
