// Calls and clock readings that no function of libc stands for: code makes them by an instruction.
//
// Where such code is loaded (special_code.hpp), the kernel stops it there. A system call of code outside libc arrives
// as SIGSYS (PR_SET_SYSCALL_USER_DISPATCH, since Linux 5.11; libc's code is the one range that goes straight through),
// and the handler gives it the meaning of the function of that name. It runs on the operation's own stack and may
// switch to other operations there. A reading of the processor's clock arrives as SIGSEGV (PR_SET_TSC) and gets virtual
// time. Random numbers of the processor cannot be trapped. Where its features can be hidden (ARCH_SET_CPUID) these are,
// and elsewhere the code that has such an instruction is named. A trapped call costs about two microseconds. A program
// that has no such code does not pay for it.
#pragma once

#include <cstdint>

namespace heddle::runtime {

class Traps {
 public:
  void begin_exploration();  // looks at what is loaded
  /// In the process and on the thread that runs operations from now on: each has to ask the kernel for itself.
  void begin_here() const {
    if (catches_calls_ || catches_clock_) [[unlikely]]
      ask_kernel();
  }
  void end_exploration();
  /// The program is about to load more code. Until the end of the execution all calls from outside libc are looked at.
  void expect_code();
  /// In a child of the program, which runs free.
  void leave();

  void set_clock_free(bool is_free) const;
  bool catches_calls() const { return catches_calls_; }

  // For the handlers.
  void code_was_loaded();
  bool answer_clock(void* context) const;
  bool answer_identity(void* context) const;

 private:
  void ask_kernel() const;
  void catch_calls();
  void catch_clock();
  void look_at_the_rest();

  bool catches_calls_ = false;
  bool catches_clock_ = false;
  bool hides_random_ = false;
};

extern Traps traps;

/// While this object lives, the processor's clock can be read: what is started meanwhile inherits that, and is free.
class FreeClock {
 public:
  FreeClock() { traps.set_clock_free(true); }
  ~FreeClock() { traps.set_clock_free(false); }
  FreeClock(const FreeClock&) = delete;
  FreeClock& operator=(const FreeClock&) = delete;
};

}  // namespace heddle::runtime
