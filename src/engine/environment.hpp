// Everything outside the program that can make an operation go on: the other side of its descriptors, signals sent by
// other processes, child processes that end.
//
// The runtime gives the execution an environment when an operation first depends on one; the execution forgets it at
// its end. The environment is called only when time passes, when nothing inside the program can go on, and when a
// signal handler has called for attention. An execution that depends on nothing outside pays nothing.
#pragma once

#include <cstdint>

namespace heddle::engine {

class Environment {
 public:
  virtual ~Environment() = default;

  /// No operation is enabled. True: an operation stood before something that is ready after all, and is enabled now.
  virtual bool look() = 0;
  /// A sleep or a timed wait has expired.
  virtual void time_passed() = 0;
  /// True if an operation waits for something that only the environment can do.
  virtual bool is_awaited() const = 0;
  /// No operation can go on: waits, in real time, for something to arrive; for descriptors, at most this long. True: an
  /// operation may be enabled now.
  virtual bool wait(std::uint32_t milliseconds) = 0;
  /// The running operation stands before its next step, and attention was called for: handles what arrived.
  virtual void attend() = 0;
};

}  // namespace heddle::engine
