// Signal handlers: sigaction and its predecessors.
#include <signal.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;

HEDDLE_REAL(sigaction);
HEDDLE_REAL(signal);
HEDDLE_REAL(sysv_signal);

namespace {

int failed(int error) {
  errno = error;
  return -1;
}

bool can_be_handled(int signal) { return signal > 0 && signal < kSignalsEnd && signal != SIGKILL && signal != SIGSTOP; }

int act(int signal, const struct sigaction* wanted, struct sigaction* old, const void* place) {
  if (signal <= 0 || signal >= kSignalsEnd || (wanted != nullptr && !can_be_handled(signal))) return failed(EINVAL);
  front.execution().step(event(EventKind::set_signals, signals.resource(), place));
  const struct sigaction before = signals.action(signal);
  if (wanted != nullptr) signals.set_action(signal, *wanted);
  if (old != nullptr) *old = before;
  return 0;
}

sighandler_t handle(int signal, sighandler_t handler, int flags, const void* place) {
  struct sigaction wanted {};
  wanted.sa_handler = handler;
  wanted.sa_flags = flags;
  struct sigaction old {};
  return act(signal, &wanted, &old, place) == 0 ? old.sa_handler : SIG_ERR;
}

}  // namespace

HEDDLE_EXPORT int sigaction(int signal, const struct sigaction* wanted, struct sigaction* old) noexcept {
  if (!is_controlled()) return real_sigaction(signal, wanted, old);
  return act(signal, wanted, old, HEDDLE_CALL_PLACE);
}

HEDDLE_EXPORT sighandler_t signal(int signal, sighandler_t handler) noexcept {
  if (!is_controlled()) return real_signal(signal, handler);
  return handle(signal, handler, SA_RESTART, HEDDLE_CALL_PLACE);
}

HEDDLE_EXPORT sighandler_t sysv_signal(int signal, sighandler_t handler) noexcept {
  if (!is_controlled()) return real_sysv_signal(signal, handler);
  return handle(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER), HEDDLE_CALL_PLACE);
}

// The function that `signal` names in strictly standard C.
HEDDLE_EXPORT sighandler_t __sysv_signal(int signal, sighandler_t handler) noexcept {
  if (!is_controlled()) return real_sysv_signal(signal, handler);
  return handle(signal, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER), HEDDLE_CALL_PLACE);
}

HEDDLE_ALIAS(__sigaction, sigaction);
HEDDLE_ALIAS(bsd_signal, signal);
HEDDLE_ALIAS(ssignal, signal);
