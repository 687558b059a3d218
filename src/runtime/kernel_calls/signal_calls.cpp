#include "runtime/kernel_calls/signal_calls.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/select.h>

#include <cerrno>

#include "runtime/signals/signals.hpp"

namespace heddle::runtime {
namespace {

struct KernelAction {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)();
  SignalSet mask;
};
constexpr unsigned long kHasRestorer = 0x0400'0000;  // only the kernel returns from handlers by it

template <typename T>
T* pointer(long value) {
  return reinterpret_cast<T*>(value);
}

/// The result of a function of libc as the kernel's; errno stays as it is.
template <typename Function>
long without_errno(const Function& function) {
  const int saved = errno;
  const long result = function();
  const long error = errno;
  errno = saved;
  return result == -1 ? -error : result;
}

/// A set that the program passed; null if it passed none.
struct PassedSet {
  explicit PassedSet(const SignalSet* given) : is_given(given != nullptr) {
    if (is_given) set = as_sigset(*given);
  }
  const sigset_t* get() const { return is_given ? &set : nullptr; }

  bool is_given;
  sigset_t set;
};

bool has_size(long bytes) { return bytes == sizeof(SignalSet); }

}  // namespace

long set_action(const long* argument) {
  if (!has_size(argument[3])) return -EINVAL;
  const auto* const wanted = pointer<const KernelAction>(argument[1]);
  auto* const old = pointer<KernelAction>(argument[2]);
  struct sigaction action {};
  struct sigaction before {};
  if (wanted != nullptr) {
    action.sa_handler = wanted->handler;
    action.sa_flags = static_cast<int>(wanted->flags & ~kHasRestorer);
    action.sa_mask = as_sigset(wanted->mask);
  }
  const long result = without_errno(
      [&] { return sigaction(static_cast<int>(argument[0]), wanted != nullptr ? &action : nullptr, &before); });
  if (result == 0 && old != nullptr)
    *old = {before.sa_handler, static_cast<unsigned>(before.sa_flags), nullptr, as_set(before.sa_mask)};
  return result;
}

long set_mask(const long* argument) {
  if (!has_size(argument[3])) return -EINVAL;
  const PassedSet set(pointer<const SignalSet>(argument[1]));
  sigset_t before;
  const long result = without_errno([&] { return sigprocmask(static_cast<int>(argument[0]), set.get(), &before); });
  if (result == 0 && argument[2] != 0) *pointer<SignalSet>(argument[2]) = as_set(before);
  return result;
}

long pending_signals(const long* argument) {
  if (!has_size(argument[1])) return -EINVAL;
  sigset_t pending;
  const long result = without_errno([&] { return sigpending(&pending); });
  if (result == 0) *pointer<SignalSet>(argument[0]) = as_set(pending);
  return result;
}

long wait_for_signal(const long* argument) {
  if (!has_size(argument[3])) return -EINVAL;
  const PassedSet set(pointer<const SignalSet>(argument[0]));
  return without_errno(
      [&] { return sigtimedwait(set.get(), pointer<siginfo_t>(argument[1]), pointer<const timespec>(argument[2])); });
}

long suspend_with_mask(const long* argument) {
  if (!has_size(argument[1])) return -EINVAL;
  const PassedSet set(pointer<const SignalSet>(argument[0]));
  return without_errno([&] { return sigsuspend(set.get()); });
}

long poll_with_mask(const long* argument) {
  const PassedSet set(pointer<const SignalSet>(argument[3]));
  return without_errno([&] {
    return ppoll(pointer<pollfd>(argument[0]), static_cast<nfds_t>(argument[1]), pointer<const timespec>(argument[2]),
                 set.get());
  });
}

long select_with_mask(const long* argument) {
  struct Mask {
    const SignalSet* set;
    std::size_t bytes;
  };
  const auto* const mask = pointer<const Mask>(argument[5]);
  const PassedSet set(mask != nullptr ? mask->set : nullptr);
  return without_errno([&] {
    return pselect(static_cast<int>(argument[0]), pointer<fd_set>(argument[1]), pointer<fd_set>(argument[2]),
                   pointer<fd_set>(argument[3]), pointer<const timespec>(argument[4]), set.get());
  });
}

}  // namespace heddle::runtime
