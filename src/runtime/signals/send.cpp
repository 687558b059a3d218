// Signals that the program sends to itself. Signals to other processes are sent to them.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "base/raw.hpp"
#include "runtime/front.hpp"
#include "runtime/process/identity.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/send.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(raise);
HEDDLE_REAL(kill);
HEDDLE_REAL(killpg);
HEDDLE_REAL(tgkill);
HEDDLE_REAL(sigqueue);
HEDDLE_REAL(pthread_kill);
HEDDLE_REAL(pthread_sigqueue);

namespace {

int failed(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

bool is_signal(int signal) { return signal >= 0 && signal < kSignalsEnd; }

siginfo_t info_of(int code, sigval value) {
  siginfo_t info{};
  info.si_code = code;
  info.si_pid = process_id();
  info.si_uid = getuid();
  info.si_value = value;
  return info;
}

/// Returns an error number. Signal 0 only checks.
int send(int signal, int code, sigval value, OperationId target, const void* place) {
  if (!is_signal(signal)) return EINVAL;
  front.execution().step(event(EventKind::send_signal, signals.resource(), place));
  if (signal == 0) return 0;
  if (target != kNoOperation && front.scheduler().has_ended(target)) return 0;
  signals.send(signal, info_of(code, value), target);
  signals.handle_pending();
  return 0;
}

/// A process group is treated as this process.
bool is_self(pid_t process) { return process == process_id() || process == 0; }

int send_to_thread(pthread_t thread, int signal, int code, sigval value, const void* place) {
  const ResourceId lifetime = front.table().find(reinterpret_cast<void*>(thread), ResourceKind::operation);
  if (lifetime == kNoResource) return ESRCH;
  return send(signal, code, value, front.at(lifetime).lifetime.of(), place);
}

}  // namespace

namespace heddle::runtime {

long send_to_process(pid_t process, int signal, const void* place) {
  if (!is_self(process)) return -1;
  return send(signal, SI_USER, {}, kNoOperation, place);
}

int send_to_thread_id(pid_t thread, int signal, const void* place) {
  const OperationId target = operation_of(thread);
  if (target == kNoOperation || front.scheduler().has_ended(target)) return ESRCH;
  return send(signal, SI_TKILL, {}, target, place);
}

}  // namespace heddle::runtime

HEDDLE_EXPORT int raise(int signal) noexcept {
  if (!is_controlled()) return real_raise(signal);
  return failed(send(signal, SI_TKILL, {}, front.self(), HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int kill(pid_t process, int signal) noexcept {
  if (!is_controlled()) return real_kill(real_process(process), signal);
  if (!is_self(process)) return real_kill(process, signal);
  return failed(send(signal, SI_USER, {}, kNoOperation, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int killpg(pid_t group, int signal) noexcept {
  if (!is_controlled() || (group != 0 && group != getpgrp())) return real_killpg(group, signal);
  return failed(send(signal, SI_USER, {}, kNoOperation, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int tgkill(pid_t process, pid_t thread, int signal) {
  if (!is_controlled() || !is_self(process)) return real_tgkill(process, thread, signal);
  return failed(send_to_thread_id(thread, signal, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int sigqueue(pid_t process, int signal, const sigval value) noexcept {
  if (!is_controlled() || !is_self(process)) return real_sigqueue(process, signal, value);
  return failed(send(signal, SI_QUEUE, value, kNoOperation, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int pthread_kill(pthread_t thread, int signal) noexcept {
  if (!is_controlled()) return real_pthread_kill(thread, signal);
  return send_to_thread(thread, signal, SI_TKILL, {}, HEDDLE_CALL_PLACE);
}

HEDDLE_EXPORT int pthread_sigqueue(pthread_t thread, int signal, const sigval value) noexcept {
  if (!is_controlled()) return real_pthread_sigqueue(thread, signal, value);
  return send_to_thread(thread, signal, SI_QUEUE, value, HEDDLE_CALL_PLACE);
}

HEDDLE_ALIAS(gsignal, raise);
