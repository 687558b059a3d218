// Which signals an operation blocks, and which blocked signals are pending.
#include <signal.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;

HEDDLE_REAL(pthread_sigmask);
HEDDLE_REAL(sigprocmask);
HEDDLE_REAL(sigpending);

namespace {

constexpr SignalSet kNeverBlocked = only(SIGKILL) | only(SIGSTOP);

/// Returns an error number.
int change(int how, const sigset_t* set, sigset_t* old, const void* place) {
  front.execution().step(event(EventKind::set_signals, signals.resource(), place));
  const SignalSet before = signals.mask();
  if (set != nullptr) {
    const SignalSet given = as_set(*set) & ~kNeverBlocked;
    if (how == SIG_BLOCK)
      signals.mask() = before | given;
    else if (how == SIG_UNBLOCK)
      signals.mask() = before & ~given;
    else if (how == SIG_SETMASK)
      signals.mask() = given;
    else
      return EINVAL;
  }
  if ((signals.mask() & ~before & only(SIGCHLD)) != 0) signals.listen(only(SIGCHLD));  // a child may end before sigwait
  if (old != nullptr) *old = as_sigset(before);
  signals.handle_pending();  // at least one of the unblocked signals, before this returns
  return 0;
}

}  // namespace

HEDDLE_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (!is_controlled()) return real_pthread_sigmask(how, set, old);
  return change(how, set, old, HEDDLE_CALL_PLACE);
}

HEDDLE_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (!is_controlled()) return real_sigprocmask(how, set, old);
  const int error = change(how, set, old, HEDDLE_CALL_PLACE);
  if (error == 0) return 0;
  errno = error;
  return -1;
}

HEDDLE_EXPORT int sigpending(sigset_t* set) noexcept {
  if (!is_controlled()) return real_sigpending(set);
  front.execution().step(event(EventKind::set_signals, signals.resource(), HEDDLE_CALL_PLACE));
  *set = as_sigset(signals.pending());
  return 0;
}
