// Signals that kill, inside an operation, become verdicts.
//
// While an exploration is on, SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT of the running operation end the execution
// instead of the process. The handlers run on a stack of their own, so a stack that overflowed is told from a bad
// pointer. A signal that is not the running operation's is passed on to whoever handled it before.
#pragma once

#include <signal.h>

namespace heddle::engine {

class CrashGuard {
 public:
  CrashGuard();  // at home, for the length of an exploration
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  stack_t saved_stack_{};
};

/// Whether the program has a handler of its own for a signal of the running operation; it has been called then.
extern bool (*handle_fault)(int signal, siginfo_t* info, void* context);

/// For a thread of heddle's that runs operations itself, and was made with all signals blocked.
void accept_fatal_signals();

}  // namespace heddle::engine
