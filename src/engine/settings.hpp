// What may happen in an execution, apart from the order of its steps.
#pragma once

#include <cstdint>

#include "model/misuse.hpp"

namespace heddle::engine {

enum class TimePolicy : std::uint8_t {
  choice,   // a sleep or a timed wait may expire at any point: an operation can be as slow as the strategy likes
  patient,  // time passes only when nobody else can go on
};

struct Settings {
  std::uint64_t steps_max = 200'000;
  TimePolicy time = TimePolicy::choice;
  bool choose_waiter = true;      // which waiter a signal wakes is a choice; else the one that came first
  bool spurious_wakeups = false;  // a condition wait may come back for no reason
  model::MisuseSet allow = {};    // misuses that are no verdict: the call returns its error, or goes on as in libc
  std::uint32_t outside_wait_ms = 2'000;  // of real time, when all that could go on waits for the outside
};

}  // namespace heddle::engine
