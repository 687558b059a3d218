// Is this call made by an operation under control? Every intercepted function asks this first.
//
// Exactly one operation runs at a time, and it is known by its thread pointer. A thread that heddle does not control
// has another one; while no exploration is on, nobody has it. So the question is one load and one compare, and every
// other thread of the process goes straight through to libc.
#pragma once

#include <cstdint>

#include "base/arch/x86_64/thread_pointer.hpp"

namespace heddle::engine {

class Execution;

struct Control {
  std::uintptr_t thread_pointer = 0;  // of the running operation; 0: calls are not intercepted now
  Execution* execution = nullptr;     // the one that runs; null: none
};
extern Control control;

inline bool is_controlled() { return control.thread_pointer == heddle::thread_pointer(); }

/// While it lives, calls of the running operation go straight through: heddle itself is at work.
class Uncontrolled {
 public:
  Uncontrolled() : saved_(control.thread_pointer) { control.thread_pointer = 0; }
  ~Uncontrolled() { control.thread_pointer = saved_; }
  Uncontrolled(const Uncontrolled&) = delete;
  Uncontrolled& operator=(const Uncontrolled&) = delete;

 private:
  std::uintptr_t saved_;
};

}  // namespace heddle::engine
