// Turns fatal signals inside an operation into verdicts.
//
// During an exploration, a SIGSEGV, SIGBUS, SIGFPE, SIGILL or SIGABRT of the running operation ends the execution
// instead of the process. The handlers run on their own stack, so a stack overflow can be told from a bad pointer. A
// signal that does not belong to the running operation is passed on to the previous handler.
#pragma once

#include <signal.h>

namespace heddle::engine {

class CrashGuard {
 public:
  CrashGuard();  // at home, for the duration of an exploration
  ~CrashGuard();
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;

 private:
  stack_t saved_stack_{};
};

/// True if the program has its own handler for this signal of the running operation; the handler has then been called.
extern bool (*handle_fault)(int signal, siginfo_t* info, void* context);

/// True if heddle itself made this instruction fault, and has now answered for it. Called before all else, also for
/// code that is not under control. Null: there are no such instructions.
extern bool (*answer_fault)(void* context);

/// For a thread of heddle that runs operations itself and was created with all signals blocked.
void accept_fatal_signals();

}  // namespace heddle::engine
