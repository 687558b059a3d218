// Random programs for the oracle. Each has a theme: a few calls that belong together, on so few objects that threads
// collide, each primitive mixed with its try and timed forms. They have no loops, so every execution ends or deadlocks.
#pragma once

#include <cstdint>
#include <string_view>

#include "oracle/program.hpp"

namespace heddle::oracle {

enum class Theme : std::uint8_t {
  memory,
  mutexes,
  robust,
  spins,
  locks,
  semaphores,
  conditions,
  barriers,
  futexes,
  lives,  // creation, the end, and who learns of it
  cancel,
  time,  // yields, sleeps, timeouts
  clocks,
  endings,  // exit, abort, assertions
  all,
  kCount
};

std::string_view name(Theme theme);
Program generate(Theme theme, std::uint64_t seed);
/// The same for a process of its own: it ends when main returns, and by calls that end it.
Program generate_whole(Theme theme, std::uint64_t seed);

}  // namespace heddle::oracle
