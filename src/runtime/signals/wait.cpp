// Waiting for signals: the sigwait family takes a blocked signal; pause and sigsuspend wait for a handler to run.
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;

HEDDLE_REAL(sigwait);
HEDDLE_REAL(sigwaitinfo);
HEDDLE_REAL(sigtimedwait);
HEDDLE_REAL(sigsuspend);
HEDDLE_REAL(pause);

namespace {

void step_up(const void* place) {
  act_on_cancel();
  front.execution().step(event(EventKind::set_signals, signals.resource(), place));
  act_on_cancel();  // cancelled while it stood there, not yet in the wait
}

/// Returns the signal, or minus an error number.
int wait_for(const sigset_t* set, siginfo_t* info, const Deadline& deadline, const void* place) {
  if (deadline.error) return -deadline.error;
  const SignalSet wanted = as_set(*set);
  signals.listen(wanted);
  step_up(place);
  if (const int found = signals.take(wanted, info)) return found;
  return signals.wait(wanted, deadline.time, info, place);
}

int with_errno(int result) {
  if (result >= 0) return result;
  errno = -result;
  return -1;
}

int wait_for_handler(const void* place) {
  if (!signals.handle_pending()) signals.wait(0, engine::kNever, nullptr, place);
  errno = EINTR;
  return -1;
}

}  // namespace

HEDDLE_EXPORT int sigwait(const sigset_t* __restrict set, int* __restrict signal) {
  if (!is_controlled()) return real_sigwait(set, signal);
  for (;;) {
    const int result = wait_for(set, nullptr, {}, HEDDLE_CALL_PLACE);
    if (result == -EINTR) continue;  // EINTR is not one of sigwait's errors
    if (result < 0) return -result;
    *signal = result;
    return 0;
  }
}

HEDDLE_EXPORT int sigwaitinfo(const sigset_t* __restrict set, siginfo_t* __restrict info) {
  if (!is_controlled()) return real_sigwaitinfo(set, info);
  return with_errno(wait_for(set, info, {}, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int sigtimedwait(const sigset_t* __restrict set, siginfo_t* __restrict info,
                               const timespec* __restrict timeout) {
  if (!is_controlled()) return real_sigtimedwait(set, info, timeout);
  return with_errno(wait_for(set, info, deadline_after(timeout), HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int sigsuspend(const sigset_t* set) {
  if (!is_controlled()) return real_sigsuspend(set);
  step_up(HEDDLE_CALL_PLACE);
  const SignalSet before = signals.mask();
  signals.mask() = as_set(*set) & ~(only(SIGKILL) | only(SIGSTOP));
  const int result = wait_for_handler(HEDDLE_CALL_PLACE);
  signals.mask() = before;
  signals.handle_pending();
  errno = EINTR;
  return result;
}

HEDDLE_EXPORT int pause() {
  if (!is_controlled()) return real_pause();
  step_up(HEDDLE_CALL_PLACE);
  return wait_for_handler(HEDDLE_CALL_PLACE);
}

HEDDLE_ALIAS(__sigsuspend, sigsuspend);
