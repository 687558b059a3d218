// Detects when a body makes no progress for reasons that heddle does not control: a loop that spins without a
// scheduling point, a system call that blocks.
//
// A timer interrupts the thread that carries all operations, twice a second: executions that are shorter never notice.
// If the running operation has taken no step since, it is named. If it computes in the program's own code, it is made
// to yield there, and again at every later tick that finds it so. If it is in the kernel for some seconds, the
// execution is cut; after a few of those the exploration ends. What `heddle run` does is in src/preload/watchdog.cpp.
#pragma once

#include <string>

namespace heddle {

class Watchdog {
 public:
  /// `is_needed`: false if no single thread carries all operations.
  explicit Watchdog(bool is_needed);
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// Too many executions had to be cut.
  static bool has_given_up();
  /// What it had to do, as a line for the report; empty: nothing.
  static std::string note();

 private:
  int timer_ = -1;
};

}  // namespace heddle
