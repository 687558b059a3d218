// Mutexes and spin locks.
#include <pthread.h>

#include <cerrno>
#include <new>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/misuse.hpp"
#include "runtime/pthread/traits.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/order.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::MutexType;
using model::ResourceKind;

HEDDLE_REAL(pthread_mutex_init);
HEDDLE_REAL(pthread_mutex_destroy);
HEDDLE_REAL(pthread_mutex_lock);
HEDDLE_REAL(pthread_mutex_trylock);
HEDDLE_REAL(pthread_mutex_timedlock);
HEDDLE_REAL(pthread_mutex_clocklock);
HEDDLE_REAL(pthread_mutex_unlock);
HEDDLE_REAL(pthread_mutex_consistent);
HEDDLE_REAL(pthread_mutex_setprioceiling);
HEDDLE_REAL(pthread_spin_init);
HEDDLE_REAL(pthread_spin_destroy);
HEDDLE_REAL(pthread_spin_lock);
HEDDLE_REAL(pthread_spin_trylock);
HEDDLE_REAL(pthread_spin_unlock);

namespace {

constexpr int kKindMask = 3;  // in glibc's __kind: the type
constexpr int kRobustBit = 16;
constexpr int kProtectBit = 64;    // PTHREAD_PRIO_PROTECT
constexpr int kCeilingShift = 19;  // then its __lock holds the ceiling, above the bits of a lock
constexpr unsigned kLockBits = (1u << kCeilingShift) - 1;
constexpr int kDestroyedKind = -1;           // libc writes this into the mutex
constexpr int kDestroyedSpin = 0x6465'6164;  // libc leaves no mark in a spin lock

MutexType type_of(const pthread_mutex_t* mutex) {
  switch (mutex->__data.__kind & kKindMask) {
    case PTHREAD_MUTEX_RECURSIVE:
      return MutexType::recursive;
    case PTHREAD_MUTEX_ERRORCHECK:
      return MutexType::error_checking;
    default:
      return MutexType::normal;
  }
}

model::Mutex fresh_mutex(const pthread_mutex_t* mutex) {
  const bool robust = (mutex->__data.__kind & kRobustBit) != 0;
  const bool has_ceiling = (mutex->__data.__kind & kProtectBit) != 0;
  const auto word = static_cast<unsigned>(mutex->__data.__lock);
  const bool is_locked = (has_ceiling ? word & kLockBits : word) != 0;
  model::Mutex fresh(type_of(mutex), robust, is_locked ? model::kOutsideOwner : kNoOperation);
  if (has_ceiling) fresh.set_ceiling(static_cast<int>(word >> kCeilingShift));
  return fresh;
}

void count_robust(const model::Mutex& mutex, int by) {
  if (mutex.is_robust()) front.this_thread().robust_held += static_cast<std::uint32_t>(by);
}

/// The caller has got a mutex that is not plain. libc raises its priority to the ceiling, which only threads of the
/// policies for real time have: others, and those above the ceiling, do not get it.
[[gnu::cold]] int keep_special(ResourceId id) {
  model::Mutex& mutex = front.at(id).mutex;
  if (mutex.ceiling() != 0) {
    const Traits& mine = traits.of(front.self());
    const bool has_priority = mine.policy == SCHED_FIFO || mine.policy == SCHED_RR;
    if (!has_priority || mine.priority > mutex.ceiling()) {
      mutex.unlock(front.self());
      releases_lock(id);
      return EINVAL;
    }
  }
  count_robust(mutex, 1);
  return 0;
}

// The path of a lock and an unlock is inlined into both: calls would cost a tenth of it.

[[gnu::always_inline]] inline ResourceId resource_of(pthread_mutex_t* mutex) {
  const ResourceId id = front.resource(mutex, ResourceKind::mutex, [mutex](model::Resource& fresh) {
    if (mutex->__data.__kind == kDestroyedKind) used_after_destruction(mutex, ResourceKind::mutex);
    new (&fresh.mutex) model::Mutex(fresh_mutex(mutex));
  });
  // A std::mutex is destroyed without a call: another mutex of another type may be at its address now.
  model::Mutex& state = front.at(id).mutex;
  if (state.is_free() && state.type() != type_of(mutex)) [[unlikely]]
    state = fresh_mutex(mutex);
  return id;
}

/// The event takes effect: the caller gets the mutex.
[[gnu::always_inline]] inline int take(ResourceId id) {
  model::Mutex& mutex = front.at(id).mutex;
  const bool was_free = mutex.is_free();
  const int result = mutex.lock(front.self());
  acquires_lock(id);
  if (was_free) {
    if (!mutex.is_plain()) [[unlikely]]
      if (const int refused = keep_special(id)) return refused;
    front.execution().changed(id);
  }
  return result;
}

/// libc takes null for an answer, although its header says otherwise.
void tell(int value, int* to) {
  if (to != nullptr) *to = value;
}

int try_take(ResourceId id) {
  model::Mutex& mutex = front.at(id).mutex;
  const bool was_free = mutex.is_free();
  const int result = mutex.try_lock(front.self());
  if (mutex.owner() == front.self()) acquires_lock(id);
  if (was_free) {
    if (!mutex.is_plain()) [[unlikely]]
      if (const int refused = keep_special(id)) return refused;
    front.execution().changed(id);
  }
  return result;
}

[[gnu::always_inline]] inline int give_back(ResourceId id, const void* place) {
  engine::Execution& execution = front.execution();
  execution.step_to_give_back(event(EventKind::unlock, id, place));
  model::Mutex& mutex = front.at(id).mutex;
  if (const int error = mutex.unlock(front.self())) {
    return mutex.tells_strangers() ? error : unlocked_by_a_stranger(id, mutex.owner());
  }
  if (mutex.is_free()) {
    releases_lock(id);
    if (!mutex.is_plain()) [[unlikely]]
      count_robust(mutex, -1);
    execution.changed(id);
    front.released(place);
  }
  return 0;
}

int lock_until(pthread_mutex_t* mutex, const Deadline& deadline, const void* place) {
  if (deadline.error) return deadline.error;
  const ResourceId id = mutex_resource(mutex);
  front.at(id).looked_at = true;
  const bool admitted = front.execution().step_when_admitted(event(EventKind::timed_lock, id, place), deadline.time);
  return admitted ? take(id) : ETIMEDOUT;
}

const void* address_of(pthread_spinlock_t* lock) { return const_cast<const int*>(lock); }

ResourceId spin_resource(pthread_spinlock_t* lock) {
  return front.resource(address_of(lock), ResourceKind::spin_lock, [lock](model::Resource&) {
    if (*lock == kDestroyedSpin) used_after_destruction(address_of(lock), ResourceKind::spin_lock);
  });
}

}  // namespace

namespace heddle::runtime {

ResourceId mutex_resource(pthread_mutex_t* mutex) { return resource_of(mutex); }

void abandon_robust_mutexes(OperationId owner) {
  engine::Scheduler& scheduler = front.scheduler();
  for (std::uint32_t i = 0; i < scheduler.resource_count(); ++i) {
    model::Resource& resource = scheduler.resource(ResourceId{i});
    if (resource.kind != ResourceKind::mutex || resource.mutex.owner() != owner) continue;
    resource.mutex.owner_ended();
    scheduler.changed(ResourceId{i});
  }
}

}  // namespace heddle::runtime

HEDDLE_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) noexcept {
  if (!is_controlled()) return real_pthread_mutex_init(mutex, attributes);
  check_initialisation(mutex, ResourceKind::mutex, HEDDLE_PLACE);
  const int result = real_pthread_mutex_init(mutex, attributes);
  note_initialisation(mutex, ResourceKind::mutex);
  return result;
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_destroy(mutex);
  if (front.is_exiting()) return 0;  // threads may use it until the process is gone
  stand_before_destruction(mutex, ResourceKind::mutex, HEDDLE_PLACE);
  if (const int error = check_destruction(mutex, ResourceKind::mutex, mutex->__data.__kind == kDestroyedKind))
    return error;
  note_destruction(mutex, ResourceKind::mutex);
  return real_pthread_mutex_destroy(mutex);
}

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_lock(mutex);
  const ResourceId id = resource_of(mutex);
  front.execution().step_when_admitted(event(EventKind::lock, id, HEDDLE_PLACE));
  return take(id);
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_trylock(mutex);
  const ResourceId id = mutex_resource(mutex);
  front.at(id).looked_at = true;
  front.execution().step(event(EventKind::try_lock, id, HEDDLE_PLACE));
  return try_take(front.still(id, [=] { return mutex_resource(mutex); }));
}

HEDDLE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* until) noexcept {
  if (!is_controlled()) return real_pthread_mutex_timedlock(mutex, until);
  return lock_until(mutex, deadline_at(CLOCK_REALTIME, until), HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
  if (!is_controlled()) return real_pthread_mutex_clocklock(mutex, clock, until);
  return lock_until(mutex, deadline_at(clock, until), HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_unlock(mutex);
  return give_back(resource_of(mutex), HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_consistent(mutex);
  return front.at(mutex_resource(mutex)).mutex.make_consistent(front.self());
}

// As libc does it, the mutex is taken meanwhile, whatever the priority of the caller.
HEDDLE_EXPORT int pthread_mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* old) noexcept {
  if (!is_controlled()) return real_pthread_mutex_setprioceiling(mutex, ceiling, old);
  if ((mutex->__data.__kind & kProtectBit) == 0) return EINVAL;
  if (ceiling < sched_get_priority_min(SCHED_FIFO) || ceiling > sched_get_priority_max(SCHED_FIFO)) return EINVAL;
  const ResourceId id = resource_of(mutex);
  if (front.at(id).mutex.owner() != front.self())
    front.execution().step_when_admitted(event(EventKind::lock, id, HEDDLE_PLACE));
  tell(front.at(id).mutex.ceiling(), old);
  front.at(id).mutex.set_ceiling(ceiling);
  mutex->__data.__lock = ceiling << kCeilingShift;
  front.scheduler().touch(id, model::Does::writes);
  return 0;
}

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  if (is_controlled()) {
    check_initialisation(address_of(lock), ResourceKind::spin_lock, HEDDLE_PLACE);
    note_initialisation(address_of(lock), ResourceKind::spin_lock);
  }
  return real_pthread_spin_init(lock, shared);
}

HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (!is_controlled()) return real_pthread_spin_destroy(lock);
  if (front.is_exiting()) return 0;  // threads may use it until the process is gone
  stand_before_destruction(address_of(lock), ResourceKind::spin_lock, HEDDLE_PLACE);
  if (const int error = check_destruction(address_of(lock), ResourceKind::spin_lock, *lock == kDestroyedSpin))
    return error;
  note_destruction(address_of(lock), ResourceKind::spin_lock);
  const int result = real_pthread_spin_destroy(lock);
  *lock = kDestroyedSpin;
  return result;
}

HEDDLE_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (!is_controlled()) return real_pthread_spin_lock(lock);
  const ResourceId id = spin_resource(lock);
  front.execution().step_when_admitted(event(EventKind::lock, id, HEDDLE_PLACE));
  return take(id);
}

HEDDLE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  if (!is_controlled()) return real_pthread_spin_trylock(lock);
  const ResourceId id = spin_resource(lock);
  front.at(id).looked_at = true;
  front.execution().step(event(EventKind::try_lock, id, HEDDLE_PLACE));
  return try_take(front.still(id, [=] { return spin_resource(lock); }));
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (!is_controlled()) return real_pthread_spin_unlock(lock);
  return give_back(spin_resource(lock), HEDDLE_PLACE);
}

HEDDLE_ALIAS(__pthread_mutex_init, pthread_mutex_init);
HEDDLE_ALIAS(__pthread_mutex_destroy, pthread_mutex_destroy);
HEDDLE_ALIAS(__pthread_mutex_lock, pthread_mutex_lock);
HEDDLE_ALIAS(__pthread_mutex_trylock, pthread_mutex_trylock);
HEDDLE_ALIAS(__pthread_mutex_unlock, pthread_mutex_unlock);
HEDDLE_ALIAS(pthread_mutex_consistent_np, pthread_mutex_consistent);
