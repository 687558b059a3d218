// Signal functions from before POSIX, made of those that replaced them.
#include <signal.h>
#include <string.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

// No longer declared, or only by their other meaning.
extern "C" {
int sigsetmask(int mask) noexcept;
int sigblock(int mask) noexcept;
int siggetmask() noexcept;
int __sigpause(int signal_or_mask, int is_signal);
int __xpg_sigpause(int signal);
}

using heddle::runtime::as_set;
using heddle::runtime::as_sigset;

namespace {

int change(int how, const sigset_t& set) { return sigprocmask(how, &set, nullptr); }

bool make_set(int signal, sigset_t& set) {
  sigemptyset(&set);
  return sigaddset(&set, signal) == 0;
}

/// The masks of BSD have 32 signals.
int change_mask(int how, int mask) {
  const sigset_t set = as_sigset(static_cast<unsigned>(mask));
  sigset_t old;
  if (sigprocmask(how, &set, &old) != 0) return -1;
  return static_cast<int>(as_set(old));
}

int wait_without(int signal) {
  sigset_t set;
  sigprocmask(SIG_BLOCK, nullptr, &set);
  if (sigdelset(&set, signal) != 0) return -1;
  return sigsuspend(&set);
}

int wait_with(int mask) {
  const sigset_t set = as_sigset(static_cast<unsigned>(mask));
  return sigsuspend(&set);
}

}  // namespace

HEDDLE_EXPORT int sighold(int signal) noexcept {
  sigset_t set;
  return make_set(signal, set) ? change(SIG_BLOCK, set) : -1;
}

HEDDLE_EXPORT int sigrelse(int signal) noexcept {
  sigset_t set;
  return make_set(signal, set) ? change(SIG_UNBLOCK, set) : -1;
}

HEDDLE_EXPORT int sigignore(int signal) noexcept {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  return sigaction(signal, &action, nullptr);
}

HEDDLE_EXPORT sighandler_t sigset(int signal, sighandler_t handler) noexcept {
  sigset_t set, before;
  if (!make_set(signal, set)) return SIG_ERR;
  struct sigaction action {};
  struct sigaction old {};
  const bool holds = handler == SIG_HOLD;
  action.sa_handler = handler;
  if (sigaction(signal, holds ? nullptr : &action, &old) != 0) return SIG_ERR;
  if (sigprocmask(holds ? SIG_BLOCK : SIG_UNBLOCK, &set, &before) != 0) return SIG_ERR;
  return sigismember(&before, signal) == 1 ? SIG_HOLD : old.sa_handler;
}

HEDDLE_EXPORT int siginterrupt(int signal, int interrupts) noexcept {
  struct sigaction action {};
  if (sigaction(signal, nullptr, &action) != 0) return -1;
  action.sa_flags = interrupts != 0 ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return sigaction(signal, &action, nullptr);
}

HEDDLE_EXPORT int sigblock(int mask) noexcept { return change_mask(SIG_BLOCK, mask); }
HEDDLE_EXPORT int sigsetmask(int mask) noexcept { return change_mask(SIG_SETMASK, mask); }
HEDDLE_EXPORT int siggetmask() noexcept { return change_mask(SIG_BLOCK, 0); }

// Standard C gets the one that takes a signal, by the name __xpg_sigpause.
HEDDLE_EXPORT int __sigpause(int signal_or_mask, int is_signal) {
  return is_signal != 0 ? wait_without(signal_or_mask) : wait_with(signal_or_mask);
}
HEDDLE_EXPORT int __xpg_sigpause(int signal) { return wait_without(signal); }
extern "C" int heddle_sigpause_of_bsd(int mask) { return wait_with(mask); }
HEDDLE_ALIAS(sigpause, heddle_sigpause_of_bsd);
