#include "runtime/kernel_calls/by_number.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "base/own_descriptors.hpp"
#include "base/raw.hpp"
#include "runtime/front.hpp"
#include "runtime/kernel_calls/signal_calls.hpp"
#include "runtime/kernel_calls/uncontrolled.hpp"
#include "runtime/libc/futex.hpp"
#include "runtime/libc/same_random.hpp"
#include "runtime/process/identity.hpp"
#include "runtime/signals/send.hpp"

namespace heddle::runtime {

const void* place_by_number = nullptr;

namespace {

using Meaning = long (*)(const long* argument);

template <typename T>
T as(long value) {
  if constexpr (std::is_pointer_v<T>)
    return reinterpret_cast<T>(value);
  else
    return static_cast<T>(value);
}

template <typename Result, typename... Arguments, std::size_t... at>
long call(Result (*function)(Arguments...), const long* argument, std::index_sequence<at...>) {
  const int saved = errno;
  long result = 0;
  if constexpr (std::is_pointer_v<Result>)
    result = reinterpret_cast<long>(function(as<Arguments>(argument[at])...));
  else
    result = static_cast<long>(function(as<Arguments>(argument[at])...));
  if (result == -1) result = -errno;
  errno = saved;
  return result;
}

template <typename Result, typename... Arguments>
long call(Result (*function)(Arguments...), const long* argument) {
  return call(function, argument, std::index_sequence_for<Arguments...>());
}

/// The function takes the arguments of the system call, and reports errors by errno.
template <auto function>
long by_name(const long* argument) {
  return call(function, argument);
}

/// The function returns an error number.
template <auto function>
long by_error(const long* argument) {
  return -call(function, argument);
}

template <long value>
long always(const long*) {
  return value;
}

long control_file(const long* argument) {
  const int saved = errno;
  const long result = fcntl(static_cast<int>(argument[0]), static_cast<int>(argument[1]), argument[2]);
  const long error = errno;
  errno = saved;
  return result == -1 ? -error : result;
}

long thread_of_caller(const long*) { return thread_id_of(front.self()); }

long send_to_thread(const long* argument) {
  return -send_to_thread_id(static_cast<pid_t>(argument[0]), static_cast<int>(argument[1]),
                            place_of_call(HEDDLE_PLACE));
}

long draw(const long* argument) {
  fill_random(reinterpret_cast<void*>(argument[0]), static_cast<std::size_t>(argument[1]));
  return argument[1];
}

long futex_by_number(const long* argument) { return futex(argument, place_of_call(HEDDLE_PLACE)); }

long end_of_thread(const long* argument) { front.end_thread_at_once(static_cast<int>(argument[0])); }

long end_of_process(const long* argument) { _exit(static_cast<int>(argument[0])); }

/// A copy of the process, by any of the calls that make one; they differ in what a parent may not observe.
long copy_of_process(const long*) { return call(fork, nullptr); }

long clone(const long* argument) {
  constexpr long kShared = CLONE_VM | CLONE_THREAD;
  if ((argument[0] & kShared) == kShared) return -ENOSYS;
  return copy_of_process(argument);
}

/// A descriptor of heddle's own is none of the program's.
template <long number>
long unless_own(const long* argument) {
  if (own_descriptors.has(static_cast<int>(argument[0]))) return -EBADF;
  return raw::syscall6(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
}

constexpr std::size_t kNumbers = 512;

constexpr std::array<Meaning, kNumbers> table() {
  std::array<Meaning, kNumbers> means{};
  // descriptors
  means[SYS_read] = by_name<read>;
  means[SYS_write] = by_name<write>;
  means[SYS_readv] = by_name<readv>;
  means[SYS_writev] = by_name<writev>;
  means[SYS_close] = by_name<close>;
  means[SYS_close_range] = by_name<close_range>;
  means[SYS_pwrite64] = unless_own<SYS_pwrite64>;
  means[SYS_ftruncate] = unless_own<SYS_ftruncate>;
  means[SYS_dup] = by_name<dup>;
  means[SYS_dup2] = by_name<dup2>;
  means[SYS_dup3] = by_name<dup3>;
  means[SYS_fcntl] = control_file;
  means[SYS_flock] = by_name<flock>;
  means[SYS_pipe] = by_name<pipe>;
  means[SYS_pipe2] = by_name<pipe2>;
  means[SYS_eventfd2] = by_name<eventfd>;
  means[SYS_poll] = by_name<poll>;
  means[SYS_ppoll] = poll_with_mask;
  means[SYS_select] = by_name<select>;
  means[SYS_pselect6] = select_with_mask;
  means[SYS_epoll_create] = by_name<epoll_create>;
  means[SYS_epoll_create1] = by_name<epoll_create1>;
  means[SYS_epoll_ctl] = by_name<epoll_ctl>;
  means[SYS_epoll_wait] = by_name<epoll_wait>;
  means[SYS_epoll_pwait] = by_name<epoll_wait>;  // heddle does not look at the mask
  means[SYS_socket] = by_name<socket>;
  means[SYS_socketpair] = by_name<socketpair>;
  means[SYS_bind] = by_name<bind>;
  means[SYS_listen] = by_name<listen>;
  means[SYS_accept] = by_name<accept>;
  means[SYS_accept4] = by_name<accept4>;
  means[SYS_connect] = by_name<connect>;
  means[SYS_recvfrom] = by_name<recvfrom>;
  means[SYS_recvmsg] = by_name<recvmsg>;
  means[SYS_recvmmsg] = by_name<recvmmsg>;
  means[SYS_sendto] = by_name<sendto>;
  means[SYS_sendmsg] = by_name<sendmsg>;
  means[SYS_sendmmsg] = by_name<sendmmsg>;
  means[SYS_shutdown] = by_name<shutdown>;
  means[SYS_timerfd_create] = by_name<timerfd_create>;
  means[SYS_timerfd_settime] = by_name<timerfd_settime>;
  means[SYS_timerfd_gettime] = by_name<timerfd_gettime>;
  means[SYS_mmap] = by_name<mmap>;
  means[SYS_mlockall] = by_name<mlockall>;
  means[SYS_munlockall] = by_name<munlockall>;
  // time
  means[SYS_nanosleep] = by_name<nanosleep>;
  means[SYS_clock_nanosleep] = by_error<clock_nanosleep>;
  means[SYS_clock_gettime] = by_name<clock_gettime>;
  means[SYS_gettimeofday] = by_name<gettimeofday>;
  means[SYS_time] = by_name<time>;
  means[SYS_times] = by_name<times>;
  means[SYS_getrusage] = by_name<getrusage>;
  means[SYS_alarm] = by_name<alarm>;
  means[SYS_setitimer] = by_name<setitimer>;
  means[SYS_getitimer] = by_name<getitimer>;
  means[SYS_sched_yield] = by_name<sched_yield>;
  // signals
  means[SYS_rt_sigaction] = set_action;
  means[SYS_rt_sigprocmask] = set_mask;
  means[SYS_rt_sigpending] = pending_signals;
  means[SYS_rt_sigtimedwait] = wait_for_signal;
  means[SYS_rt_sigsuspend] = suspend_with_mask;
  means[SYS_sigaltstack] = by_name<sigaltstack>;
  means[SYS_pause] = by_name<pause>;
  means[SYS_kill] = by_name<kill>;
  means[SYS_tgkill] = by_name<tgkill>;
  means[SYS_tkill] = send_to_thread;
  // threads and processes
  means[SYS_futex] = futex_by_number;
  means[SYS_exit] = end_of_thread;
  means[SYS_exit_group] = end_of_process;
  means[SYS_fork] = copy_of_process;
  means[SYS_vfork] = copy_of_process;
  means[SYS_clone] = clone;
  means[SYS_clone3] = always<-ENOSYS>;  // callers then try clone
  means[SYS_execve] = by_name<execve>;
  means[SYS_wait4] = by_name<wait4>;
  means[SYS_waitid] = by_name<waitid>;
  means[SYS_getpid] = by_name<getpid>;
  means[SYS_getppid] = by_name<getppid>;
  means[SYS_gettid] = thread_of_caller;
  means[SYS_set_tid_address] = thread_of_caller;  // the kernel knows none of the program's threads
  means[SYS_set_robust_list] = always<0>;
  means[SYS_getcpu] = by_name<getcpu>;
  means[SYS_getrandom] = draw;
  return means;
}

constexpr std::array<Meaning, kNumbers> kMeanings = table();

}  // namespace

bool call_by_number(long number, const long* argument, long& result, const void* place) {
  const Meaning meaning =
      number >= 0 && number < long{kNumbers} ? kMeanings[static_cast<std::size_t>(number)] : nullptr;
  if (meaning == nullptr) {
    note_if_uncontrolled(number, argument, place);
    return false;
  }
  place_by_number = place;
  result = meaning(argument);
  place_by_number = nullptr;
  if (result == -ENOSYS) note_if_uncontrolled(number, argument, place);
  return true;
}

}  // namespace heddle::runtime
