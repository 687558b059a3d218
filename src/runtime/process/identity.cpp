#include "runtime/process/identity.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw.hpp"
#include "runtime/front.hpp"
#include "runtime/real.hpp"

HEDDLE_REAL(getpid);
HEDDLE_REAL(getppid);
HEDDLE_REAL(gettid);

namespace heddle::runtime {
namespace {

pid_t process = 0;
pid_t parent = 0;
pid_t real_parent_of_child = 0;  // not 0: this process is a child of an execution

pid_t ask(long number) { return static_cast<pid_t>(raw::syscall6(number, 0, 0, 0, 0, 0, 0)); }

}  // namespace

void remember_process() {
  if (process != 0) return;
  process = ask(SYS_getpid);
  parent = ask(SYS_getppid);
}

pid_t process_id() { return process; }
pid_t parent_process_id() { return parent; }
pid_t thread_id_of(OperationId id) { return process + static_cast<pid_t>(index(id)); }

OperationId operation_of(pid_t thread) {
  if (thread < process) return kNoOperation;
  const OperationId id{static_cast<std::uint32_t>(thread - process)};
  const engine::Scheduler& scheduler = front.scheduler();
  return index(id) < scheduler.operation_count() && !scheduler.is_service(id) ? id : kNoOperation;
}

pid_t real_process(pid_t named) { return real_parent_of_child != 0 && named == process ? real_parent_of_child : named; }

void become_child() { real_parent_of_child = ask(SYS_getppid); }

}  // namespace heddle::runtime

using namespace heddle::runtime;

HEDDLE_EXPORT pid_t getpid() noexcept { return is_controlled() ? process_id() : real_getpid(); }

HEDDLE_EXPORT pid_t getppid() noexcept { return is_controlled() ? parent_process_id() : real_getppid(); }

HEDDLE_EXPORT pid_t gettid() noexcept { return is_controlled() ? thread_id_of(front.self()) : real_gettid(); }

HEDDLE_ALIAS(__getpid, getpid);
