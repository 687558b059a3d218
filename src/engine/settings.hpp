// What may happen in an execution, apart from the order of its steps.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/misuse.hpp"

namespace heddle::engine {

enum class TimePolicy : std::uint8_t {
  choice,   // a sleep or a timed wait may expire at any point: an operation can be as slow as the strategy likes
  patient,  // time passes only when no other operation can go on
};

/// How a data race is handled.
enum class Races : std::uint8_t {
  report,   // it is a verdict
  promote,  // both places become scheduling points in the following executions
  ignore,
  kCount
};

/// Which accesses are scheduling points. Only an instrumented program reports its accesses.
enum class Points : std::uint8_t {
  sync,     // none: only calls that synchronise
  release,  // none, but what comes after a release is a step of its own: for programs whose accesses are not seen
  atomic,   // atomic ones
  racy,     // and plain ones at places where a race was seen
  all,
  kCount
};

/// At which scheduling points the strategy is asked.
enum class Choices : std::uint8_t {
  all,     // wherever several operations can go on
  needed,  // not where no other operation can tell the difference: Execution::step_alone
  kCount
};

/// The C++ standard that the program is written for; it decides what a release sequence is.
enum class Standard : std::uint8_t { cxx11, cxx14, cxx17, cxx20, kCount };

/// The names that a user writes; kCount: no such name.
Points points_named(std::string_view name);
std::string_view name(Points points);
Choices choices_named(std::string_view name);
std::string_view name(Choices choices);

struct Settings {
  std::uint64_t steps_max = 200'000;
  TimePolicy time = TimePolicy::choice;
  bool choose_waiter = true;      // which waiter a signal wakes is a choice; otherwise the first to wait
  bool spurious_wakeups = false;  // a condition wait may return without a reason
  model::MisuseSet allow = {};    // misuses that are not a verdict: the call returns its error, or goes on as in libc
  Races races = Races::report;
  Points points = Points::racy;
  Choices choices = Choices::all;
  Standard standard = Standard::cxx20;
  bool weak_failures = false;             // a weak compare-exchange may fail though the value is the expected one
  std::uint32_t outside_wait_ms = 2'000;  // of real time, when every operation that could go on waits for the outside
};

}  // namespace heddle::engine
