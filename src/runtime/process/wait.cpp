// Waiting for a child process blocks only the operation that waits.
//
// When a child ends is up to the system and not part of the schedule. To make executions alike nevertheless, an
// operation that reaches its wait gives the child some real time to end: a child that waits for nothing has ended then.
// A child that needs another operation's help has not. Its parent then waits until no other operation can go on, and
// only then does heddle wait for the child.
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "base/page_vector.hpp"
#include "base/raw.hpp"
#include "runtime/environment.hpp"
#include "runtime/front.hpp"
#include "runtime/io/waiting.hpp"
#include "runtime/process/children.hpp"
#include "runtime/process/started.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(waitid);
HEDDLE_REAL(wait4);

namespace {

constexpr int kPatienceMs = 100;

struct Waiter {
  OperationId who;
  idtype_t type;
  id_t id;
  int options;
};
PageVector<Waiter> waiters;
std::uint64_t execution = 0;  // that these waiters belong to

/// True if a wait for it would return at once, also with an error.
bool is_over(const Waiter& waiter) {
  siginfo_t info{};
  const long result =
      raw::syscall6(SYS_waitid, waiter.type, static_cast<long>(waiter.id), reinterpret_cast<long>(&info),
                    (waiter.options & (WEXITED | WSTOPPED | WCONTINUED)) | WNOHANG | WNOWAIT, 0, 0);
  return result < 0 || info.si_pid != 0;
}

void sleep_1ms() {
  const timespec duration = {0, 1'000'000};
  raw::syscall6(SYS_nanosleep, reinterpret_cast<long>(&duration), 0, 0, 0, 0, 0);
}

bool ends_soon(const Waiter& waiter) {
  for (int i = 0; i < kPatienceMs; ++i) {
    if (is_over(waiter)) return true;
    if (signals.has_noted()) return false;
    sleep_1ms();
  }
  return false;
}

bool somebody_waits_for_a_signal() {
  const engine::Scheduler& scheduler = front.scheduler();
  for (std::uint32_t i = 0; i < scheduler.operation_count(); ++i)
    if (!scheduler.has_ended(OperationId{i}) && scheduler.next(OperationId{i}).kind == EventKind::wait_signal)
      return true;
  return false;
}

ResourceId children() {
  return front.resource(&waiters, ResourceKind::children, [](model::Resource&) {});
}

bool wake_those_whose_child_ended() {
  bool any = false;
  for (std::size_t i = waiters.size(); i > 0; --i) {
    if (!is_over(waiters[i - 1])) continue;
    const OperationId who = waiters[i - 1].who;
    waiters.erase(i - 1);
    front.scheduler().stand(who, event(EventKind::wait_child, children(), nullptr));
    any = true;
  }
  return any;
}

void stop_waiting(OperationId who) {
  for (std::size_t i = waiters.size(); i > 0; --i)
    if (waiters[i - 1].who == who) waiters.erase(i - 1);
}

/// Returns an error number: EINTR. 0: the child is over, or the caller does not want to wait.
int wait_until_over(Waiter waiter, const void* place) {
  watch_children();
  act_on_cancel();
  front.execution().step(event(EventKind::wait_child, children(), place));
  act_on_cancel();
  if ((waiter.options & WNOHANG) != 0) return 0;
  waiter.who = front.self();
  while (!ends_soon(waiter)) {
    waiters.push_back(waiter);
    front.execution().step_when_woken(event(EventKind::wait_child, children(), place));
    stop_waiting(waiter.who);
    if (taken_out_to_cancel()) act_on_cancel();
    if (taken_out_by_signal()) return EINTR;
  }
  return 0;
}

Waiter waiter_for(pid_t child, int options) {
  const int kinds = WEXITED | (options & (WUNTRACED | WCONTINUED | WNOHANG));
  if (child < -1) return {kNoOperation, P_PGID, static_cast<id_t>(-child), kinds};
  if (child == -1) return {kNoOperation, P_ALL, 0, kinds};
  if (child == 0) return {kNoOperation, P_PGID, static_cast<id_t>(getpgrp()), kinds};
  return {kNoOperation, P_PID, static_cast<id_t>(child), kinds};
}

pid_t wait_for(pid_t child, int* status, int options, rusage* usage, const void* place) {
  if (const int error = wait_until_over(waiter_for(child, options), place)) {
    errno = error;
    return -1;
  }
  return real_wait4(child, status, options, usage);
}

}  // namespace

namespace heddle::runtime {

// A signal may come from a child that is still running.
bool wait_for_children() {
  if (execution != front.execution_number()) return false;  // it has neither started nor awaited a child
  int patience = kPatienceMs;  // the signal of a child that has ended may still be on its way
  for (;;) {
    if (wake_those_whose_child_ended()) return true;
    if (io::waiting.look()) return true;
    if (signals.has_noted()) {
      signals.send_noted();
      return true;
    }
    if (waiters.empty() && !somebody_waits_for_a_signal()) return false;
    if (waiters.empty() && is_over({kNoOperation, P_ALL, 0, WEXITED}) && patience-- == 0) return false;
    sleep_1ms();
  }
}

void watch_children() {
  use_environment();
  if (execution == front.execution_number()) return;
  execution = front.execution_number();
  waiters.clear();
}

}  // namespace heddle::runtime

HEDDLE_EXPORT pid_t wait4(pid_t child, int* status, int options, rusage* usage) noexcept {
  if (!is_controlled()) return real_wait4(child, status, options, usage);
  return wait_for(child, status, options, usage, HEDDLE_CALL_PLACE);
}

HEDDLE_EXPORT pid_t wait3(int* status, int options, rusage* usage) noexcept {
  if (!is_controlled()) return real_wait4(-1, status, options, usage);
  return wait_for(-1, status, options, usage, HEDDLE_CALL_PLACE);
}

HEDDLE_EXPORT pid_t waitpid(pid_t child, int* status, int options) {
  if (!is_controlled()) return real_wait4(child, status, options, nullptr);
  return wait_for(child, status, options, nullptr, HEDDLE_CALL_PLACE);
}

HEDDLE_EXPORT pid_t wait(int* status) {
  if (!is_controlled()) return real_wait4(-1, status, 0, nullptr);
  return wait_for(-1, status, 0, nullptr, HEDDLE_CALL_PLACE);
}

HEDDLE_EXPORT int waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
  if (!is_controlled()) return real_waitid(type, id, info, options);
  if (const int error = wait_until_over({kNoOperation, type, id, options}, HEDDLE_CALL_PLACE)) {
    errno = error;
    return -1;
  }
  return real_waitid(type, id, info, options);
}

HEDDLE_ALIAS(__wait, wait);
HEDDLE_ALIAS(__waitpid, waitpid);
