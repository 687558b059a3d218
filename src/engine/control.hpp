// Is this call made by an operation under control? Every intercepted function asks this first.
//
// Exactly one operation runs at a time, and it is identified by its thread pointer. A thread that heddle does not
// control has a different one; while no exploration is active, no thread matches. The check is therefore one load and
// one compare, and the calls of every other thread in the process go straight through to libc.
#pragma once

#include <cstdint>

#include "base/arch/x86_64/thread_pointer.hpp"

namespace heddle::engine {

class Execution;

struct Control {
  std::uintptr_t thread_pointer = 0;  // of the running operation; 0: calls are not intercepted now
  Execution* execution = nullptr;     // the running one; null: none
};
extern Control control;

inline bool is_controlled() { return control.thread_pointer == heddle::thread_pointer(); }

/// While this object lives, calls of the running operation go straight through, because heddle itself is at work.
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
