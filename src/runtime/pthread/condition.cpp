// Condition variables. Which waiter a signal wakes is a choice; so is a spurious wake-up, if these are enabled.
#include <pthread.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/misuse.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"
#include "runtime/tsan/order.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL_VERSION(pthread_cond_init, "GLIBC_2.3.2");
HEDDLE_REAL_VERSION(pthread_cond_destroy, "GLIBC_2.3.2");
HEDDLE_REAL_VERSION(pthread_cond_wait, "GLIBC_2.3.2");
HEDDLE_REAL_VERSION(pthread_cond_timedwait, "GLIBC_2.3.2");
HEDDLE_REAL(pthread_cond_clockwait);
HEDDLE_REAL_VERSION(pthread_cond_signal, "GLIBC_2.3.2");
HEDDLE_REAL_VERSION(pthread_cond_broadcast, "GLIBC_2.3.2");

namespace {

constexpr unsigned kMonotonicBit = 2;  // in glibc's __wrefs: the clock of pthread_condattr_setclock
constexpr unsigned kDestroyedBit = 4;  // in the same field: set only by pthread_cond_destroy

bool is_destroyed(const pthread_cond_t* condition) { return (condition->__data.__wrefs & kDestroyedBit) != 0; }

clockid_t clock_of(const pthread_cond_t* condition) {
  return (condition->__data.__wrefs & kMonotonicBit) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

ResourceId condition_resource(pthread_cond_t* condition) {
  return front.resource(condition, ResourceKind::condition, [condition](model::Resource&) {
    if (is_destroyed(condition)) used_after_destruction(condition, ResourceKind::condition);
  });
}

/// The condition's resource, a new one if it was destroyed while the caller stood before its event.
ResourceId still(ResourceId known, pthread_cond_t* condition) {
  return front.still(known, [=] { return condition_resource(condition); });
}

model::WaitQueue& waiters(ResourceId id) { return front.at(id).condition.waiters(); }

[[gnu::cold]] int waits_without_mutex(ResourceId id, ResourceId lock) {
  const model::Mutex& mutex = front.at(lock).mutex;
  if (mutex.tells_strangers()) return EPERM;
  const bool is_free = mutex.is_free();
  return misused(model::Misuse::wait_without_mutex, EPERM, "waits for %s with %s, which %s%s", described(id).text,
                 described(lock).text,
                 is_free ? "nobody holds" : "it does not hold: ", is_free ? "" : doing(mutex.owner(), "does").text);
}

[[gnu::cold]] void waits_with_another_mutex(ResourceId id, ResourceId lock) {
  const model::Condition& condition = front.at(id).condition;
  misused(model::Misuse::two_mutexes, EINVAL, "waits for %s with %s, while %s with %s", described(id).text,
          described(lock).text, doing(condition.waiters().front(), "waits").text, described(condition.mutex()).text);
}

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, std::uint64_t deadline, const void* place) {
  engine::Execution& execution = front.execution();
  ResourceId id = condition_resource(condition);
  const ResourceId lock = mutex_resource(mutex);
  begin_wait_in_queue();
  act_on_cancel();
  front.at(id).condition.expect(lock);
  execution.step(event(EventKind::wait, id, place));
  act_on_cancel();  // cancelled while it stood there, not yet in the wait
  id = still(id, condition);
  uses(id);
  if (front.at(lock).mutex.owner() != front.self()) [[unlikely]]
    return waits_without_mutex(id, lock);
  if (front.at(id).condition.is_bound_to_another(lock)) [[unlikely]]
    waits_with_another_mutex(id, lock);
  front.at(id).condition.bind(lock);

  const OperationId self = front.self();
  const std::uint32_t depth = front.at(lock).mutex.release_all();
  releases_lock(lock);
  execution.changed(lock);
  front.thread(self).wait_mutex = lock;
  waiters(id).push(front.scheduler().links(), self);
  const bool woken = execution.step_when_woken(event(EventKind::wake, id, place), deadline,
                                               execution.scheduler().settings().spurious_wakeups);
  const bool cancelled = taken_out_to_cancel();
  if (!woken || cancelled) {  // no signal woke it: it leaves the queue, if still in it, and takes the mutex
    if (!cancelled) waiters(id).remove(front.scheduler().links(), self);
    const bool timed_out = !cancelled && deadline != engine::kNever &&
                           (!execution.scheduler().settings().spurious_wakeups || execution.choose(2) == 0);
    execution.step_when_admitted(event(EventKind::relock, lock, place));
    const int error = front.at(lock).mutex.reacquire(self, depth);
    acquires_lock(lock);
    execution.changed(lock);
    if (cancelled) act_on_cancel();
    return error ? error : timed_out ? ETIMEDOUT : 0;
  }
  const int error = front.at(lock).mutex.reacquire(self, depth);
  acquires_lock(lock);
  execution.changed(lock);
  return error;
}

/// Moves a waiter from the condition to the mutex, which it must take before it goes on.
void wake(ResourceId id, OperationId waiter) {
  engine::Scheduler& scheduler = front.scheduler();
  waiters(id).remove(scheduler.links(), waiter);
  const model::Event next = event(EventKind::relock, front.thread(waiter).wait_mutex, scheduler.next(waiter).place);
  if (!scheduler.stand_before(waiter, next)) front.execution().held_up(waiter);
}

}  // namespace

HEDDLE_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) noexcept {
  if (is_controlled()) {
    check_initialisation(condition, ResourceKind::condition, HEDDLE_PLACE);
    note_initialisation(condition, ResourceKind::condition);
  }
  return real_pthread_cond_init(condition, attributes);
}

HEDDLE_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
  if (!is_controlled()) return real_pthread_cond_destroy(condition);
  if (front.is_exiting()) return 0;  // threads may use it until the process is gone
  stand_before_destruction(condition, ResourceKind::condition, HEDDLE_PLACE);
  if (const int error = check_destruction(condition, ResourceKind::condition, is_destroyed(condition))) return error;
  note_destruction(condition, ResourceKind::condition);
  return real_pthread_cond_destroy(condition);
}

HEDDLE_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!is_controlled()) return real_pthread_cond_wait(condition, mutex);
  return wait(condition, mutex, engine::kNever, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  if (!is_controlled()) return real_pthread_cond_timedwait(condition, mutex, until);
  const Deadline deadline = deadline_at(clock_of(condition), until);
  return deadline.error ? deadline.error : wait(condition, mutex, deadline.time, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                         const timespec* until) {
  if (!is_controlled()) return real_pthread_cond_clockwait(condition, mutex, clock, until);
  const Deadline deadline = deadline_at(clock, until);
  return deadline.error ? deadline.error : wait(condition, mutex, deadline.time, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (!is_controlled()) return real_pthread_cond_signal(condition);
  ResourceId id = condition_resource(condition);
  engine::Execution& execution = front.execution();
  execution.step(event(EventKind::signal, id, HEDDLE_PLACE));
  id = still(id, condition);
  uses(id);
  front.at(id).condition.signalled(front.self(), execution.scheduler().steps());
  const std::uint32_t count = waiters(id).size();
  if (count == 0) return 0;
  const bool choose = count > 1 && execution.scheduler().settings().choose_waiter;
  const std::uint32_t position = choose ? execution.choose(count) : 0;
  wake(id, waiters(id).at(front.scheduler().links(), position));
  front.released(HEDDLE_PLACE);
  return 0;
}

HEDDLE_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (!is_controlled()) return real_pthread_cond_broadcast(condition);
  ResourceId id = condition_resource(condition);
  engine::Execution& execution = front.execution();
  execution.step(event(EventKind::broadcast, id, HEDDLE_PLACE));
  id = still(id, condition);
  uses(id);
  front.at(id).condition.signalled(front.self(), execution.scheduler().steps());
  while (!waiters(id).empty()) wake(id, waiters(id).front());
  front.released(HEDDLE_PLACE);
  return 0;
}
