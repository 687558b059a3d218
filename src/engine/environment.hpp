// What lies outside of the program and can make an operation go on: the other side of its descriptors, signals that
// other processes send, child processes that end.
//
// The execution is given one by the runtime when an operation first depends on it, and forgets it at its end. It is
// asked only when time passes, when nothing inside can go on, and when a signal handler has called for attention: an
// execution that depends on nothing outside pays nothing.
#pragma once

#include <cstdint>

namespace heddle::engine {

class Environment {
 public:
  virtual ~Environment() = default;

  /// No operation is enabled: does one stand before something that is ready after all? True: it is enabled now.
  virtual bool look() = 0;
  /// A sleep or a timed wait has expired.
  virtual void time_passed() = 0;
  /// Does an operation wait for what only the environment can do?
  virtual bool is_awaited() const = 0;
  /// No operation can go on: waits, in real time, for something to come. For descriptors so long at most. True: an
  /// operation may be enabled now.
  virtual bool wait(std::uint32_t milliseconds) = 0;
  /// The running operation stands before its next step, and attention was called for: takes in what came.
  virtual void attend() = 0;
};

}  // namespace heddle::engine
