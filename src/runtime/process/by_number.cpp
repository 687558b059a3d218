#include "runtime/process/by_number.hpp"

#include <sched.h>
#include <sys/syscall.h>

#include <cstddef>

#include "runtime/front.hpp"
#include "runtime/libc/same_random.hpp"
#include "runtime/process/identity.hpp"
#include "runtime/signals/send.hpp"

namespace heddle::runtime {

bool call_by_number(long number, const long* argument, long& result, const void* place) {
  const auto process = static_cast<pid_t>(argument[0]);
  switch (number) {
    case SYS_getpid:
      result = process_id();
      return true;
    case SYS_getppid:
      result = parent_process_id();
      return true;
    case SYS_gettid:
      result = thread_id_of(front.self());
      return true;
    case SYS_kill:
      if (process != process_id() && process != 0) return false;
      result = -send_to_process(process, static_cast<int>(argument[1]), place);
      return true;
    case SYS_tkill:
      result = -send_to_thread_id(process, static_cast<int>(argument[1]), place);
      return true;
    case SYS_tgkill:
      if (process != process_id()) return false;
      result = -send_to_thread_id(static_cast<pid_t>(argument[1]), static_cast<int>(argument[2]), place);
      return true;
    case SYS_getrandom:
      fill_random(reinterpret_cast<void*>(argument[0]), static_cast<std::size_t>(argument[1]));
      result = argument[1];
      return true;
    case SYS_sched_yield:
      result = sched_yield();
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::runtime
