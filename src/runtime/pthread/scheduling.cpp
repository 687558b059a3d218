// The policy and priority of threads, and the processors they may use. What is set is what is read again; which
// operation runs next is the strategy's choice all the same.
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/front.hpp"
#include "runtime/process/identity.hpp"
#include "runtime/pthread/traits.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;

HEDDLE_REAL(pthread_setschedparam);
HEDDLE_REAL(pthread_getschedparam);
HEDDLE_REAL(pthread_setschedprio);
HEDDLE_REAL(pthread_setaffinity_np);
HEDDLE_REAL(pthread_getaffinity_np);
HEDDLE_REAL(pthread_getcpuclockid);
HEDDLE_REAL(sched_setscheduler);
HEDDLE_REAL(sched_getscheduler);
HEDDLE_REAL(sched_setparam);
HEDDLE_REAL(sched_getparam);
HEDDLE_REAL(sched_setaffinity);
HEDDLE_REAL(sched_getaffinity);
HEDDLE_REAL(clock_getcpuclockid);

namespace {

OperationId controlled(pthread_t thread) { return is_controlled() ? operation_of_thread(thread) : kNoOperation; }
OperationId controlled_id(pid_t thread) { return is_controlled() ? operation_of_thread_id(thread) : kNoOperation; }

int failed(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

/// These return error numbers.
int set_policy(OperationId id, int policy, int priority) {
  if (const int error = refusal_of(policy, priority)) return error;
  traits.of(id).policy = policy;
  traits.of(id).priority = priority;
  return 0;
}

int set_priority(OperationId id, int priority) { return set_policy(id, traits.of(id).policy, priority); }

int set_processors(OperationId id, std::size_t bytes, const cpu_set_t* given) {
  return restrict(traits.of(id).processors, bytes, given) ? 0 : EINVAL;
}

int get_processors(OperationId id, std::size_t bytes, cpu_set_t* set) {
  const cpu_set_t& its = traits.of(id).processors;
  if (bytes < sizeof(unsigned long) || bytes % sizeof(unsigned long) != 0) return EINVAL;
  if (bytes < sizeof its && CPU_COUNT_S(bytes, &its) != CPU_COUNT(&its)) return EINVAL;
  std::memset(set, 0, bytes);
  std::memcpy(set, &its, std::min(bytes, sizeof its));
  return 0;
}

sched_param parameters_of(OperationId id) {
  sched_param parameters{};
  parameters.sched_priority = traits.of(id).priority;
  return parameters;
}

}  // namespace

HEDDLE_EXPORT int pthread_setschedparam(pthread_t thread, int policy, const sched_param* parameters) noexcept {
  const OperationId id = controlled(thread);
  if (id == kNoOperation) return real_pthread_setschedparam(thread, policy, parameters);
  return set_policy(id, policy, parameters->sched_priority);
}

HEDDLE_EXPORT int pthread_getschedparam(pthread_t thread, int* policy, sched_param* parameters) noexcept {
  const OperationId id = controlled(thread);
  if (id == kNoOperation) return real_pthread_getschedparam(thread, policy, parameters);
  *policy = traits.of(id).policy;
  *parameters = parameters_of(id);
  return 0;
}

HEDDLE_EXPORT int pthread_setschedprio(pthread_t thread, int priority) noexcept {
  const OperationId id = controlled(thread);
  if (id == kNoOperation) return real_pthread_setschedprio(thread, priority);
  return set_priority(id, priority);
}

HEDDLE_EXPORT int pthread_setaffinity_np(pthread_t thread, std::size_t bytes, const cpu_set_t* set) noexcept {
  const OperationId id = controlled(thread);
  if (id == kNoOperation) return real_pthread_setaffinity_np(thread, bytes, set);
  return set_processors(id, bytes, set);
}

HEDDLE_EXPORT int pthread_getaffinity_np(pthread_t thread, std::size_t bytes, cpu_set_t* set) noexcept {
  const OperationId id = controlled(thread);
  if (id == kNoOperation) return real_pthread_getaffinity_np(thread, bytes, set);
  return get_processors(id, bytes, set);
}

// All threads compute all the time (libc/processor_time.cpp), so one clock serves all of them.
HEDDLE_EXPORT int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) noexcept {
  if (controlled(thread) == kNoOperation) return real_pthread_getcpuclockid(thread, clock);
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}

HEDDLE_EXPORT int clock_getcpuclockid(pid_t process, clockid_t* clock) noexcept {
  if (!is_controlled() || (process != 0 && process != process_id())) return real_clock_getcpuclockid(process, clock);
  *clock = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}

HEDDLE_EXPORT int sched_setscheduler(pid_t thread, int policy, const sched_param* parameters) noexcept {
  const OperationId id = controlled_id(thread);
  if (id == kNoOperation) return real_sched_setscheduler(thread, policy, parameters);
  return failed(set_policy(id, policy, parameters->sched_priority));
}

HEDDLE_EXPORT int sched_getscheduler(pid_t thread) noexcept {
  const OperationId id = controlled_id(thread);
  return id == kNoOperation ? real_sched_getscheduler(thread) : traits.of(id).policy;
}

HEDDLE_EXPORT int sched_setparam(pid_t thread, const sched_param* parameters) noexcept {
  const OperationId id = controlled_id(thread);
  if (id == kNoOperation) return real_sched_setparam(thread, parameters);
  return failed(set_priority(id, parameters->sched_priority));
}

HEDDLE_EXPORT int sched_getparam(pid_t thread, sched_param* parameters) noexcept {
  const OperationId id = controlled_id(thread);
  if (id == kNoOperation) return real_sched_getparam(thread, parameters);
  *parameters = parameters_of(id);
  return 0;
}

HEDDLE_EXPORT int sched_setaffinity(pid_t thread, std::size_t bytes, const cpu_set_t* set) noexcept {
  const OperationId id = controlled_id(thread);
  if (id == kNoOperation) return real_sched_setaffinity(thread, bytes, set);
  return failed(set_processors(id, bytes, set));
}

HEDDLE_EXPORT int sched_getaffinity(pid_t thread, std::size_t bytes, cpu_set_t* set) noexcept {
  const OperationId id = controlled_id(thread);
  if (id == kNoOperation) return real_sched_getaffinity(thread, bytes, set);
  return failed(get_processors(id, bytes, set));
}

HEDDLE_ALIAS(__sched_setscheduler, sched_setscheduler);
HEDDLE_ALIAS(__sched_getscheduler, sched_getscheduler);
HEDDLE_ALIAS(__sched_getparam, sched_getparam);
