// Mutexes and spin locks.
#include <pthread.h>

#include <cerrno>
#include <new>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/misuse.hpp"
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
HEDDLE_REAL(pthread_spin_init);
HEDDLE_REAL(pthread_spin_destroy);
HEDDLE_REAL(pthread_spin_lock);
HEDDLE_REAL(pthread_spin_trylock);
HEDDLE_REAL(pthread_spin_unlock);

namespace {

constexpr int kKindMask = 3;  // of glibc's __kind: which type
constexpr int kRobustBit = 16;
constexpr int kDestroyedKind = -1;           // libc says so in the mutex
constexpr int kDestroyedSpin = 0x6465'6164;  // libc says nothing of a spin lock

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
  return model::Mutex(type_of(mutex), robust, mutex->__data.__lock == 0 ? kNoOperation : model::kOutsideOwner);
}

void count_robust(const model::Mutex& mutex, int by) {
  if (mutex.is_robust()) [[unlikely]]
    front.this_thread().robust_held += static_cast<std::uint32_t>(by);
}

/// The event takes effect: the mutex is the caller's.
inline int take(ResourceId id) {
  model::Mutex& mutex = front.at(id).mutex;
  const bool was_free = mutex.is_free();
  const int result = mutex.lock(front.self());
  acquires_lock(id);
  if (was_free) {
    count_robust(mutex, 1);
    front.execution().changed(id);
  }
  return result;
}

int try_take(ResourceId id) {
  model::Mutex& mutex = front.at(id).mutex;
  const bool was_free = mutex.is_free();
  const int result = mutex.try_lock(front.self());
  if (mutex.owner() == front.self()) acquires_lock(id);
  if (was_free) {
    count_robust(mutex, 1);
    front.execution().changed(id);
  }
  return result;
}

int give_back(ResourceId id, const void* place) {
  engine::Execution& execution = front.execution();
  execution.step(event(EventKind::unlock, id, place));
  model::Mutex& mutex = front.at(id).mutex;
  if (const int error = mutex.unlock(front.self())) {
    return mutex.tells_strangers() ? error : unlocked_by_a_stranger(id, mutex.owner());
  }
  if (mutex.is_free()) {
    releases_lock(id);
    count_robust(mutex, -1);
    execution.changed(id);
  }
  return 0;
}

int lock_until(pthread_mutex_t* mutex, const Deadline& deadline, const void* place) {
  if (deadline.error) return deadline.error;
  const ResourceId id = mutex_resource(mutex);
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

ResourceId mutex_resource(pthread_mutex_t* mutex) {
  const ResourceId id = front.resource(mutex, ResourceKind::mutex, [mutex](model::Resource& fresh) {
    if (mutex->__data.__kind == kDestroyedKind) used_after_destruction(mutex, ResourceKind::mutex);
    new (&fresh.mutex) model::Mutex(fresh_mutex(mutex));
  });
  // A std::mutex is destroyed without a call: another object, of another type, may stand at its address now.
  model::Mutex& state = front.at(id).mutex;
  if (state.is_free() && state.type() != type_of(mutex)) [[unlikely]]
    state = fresh_mutex(mutex);
  return id;
}

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
  check_initialisation(mutex, ResourceKind::mutex);
  const int result = real_pthread_mutex_init(mutex, attributes);
  note_initialisation(mutex, ResourceKind::mutex);
  return result;
}

HEDDLE_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_destroy(mutex);
  if (front.is_exiting()) return 0;  // threads may use it until the process is gone
  if (const int error = check_destruction(mutex, ResourceKind::mutex, mutex->__data.__kind == kDestroyedKind))
    return error;
  note_destruction(mutex, ResourceKind::mutex);
  return real_pthread_mutex_destroy(mutex);
}

HEDDLE_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_lock(mutex);
  const ResourceId id = mutex_resource(mutex);
  front.execution().step_when_admitted(event(EventKind::lock, id, HEDDLE_PLACE));
  return take(id);
}

HEDDLE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_trylock(mutex);
  const ResourceId id = mutex_resource(mutex);
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
  return give_back(mutex_resource(mutex), HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  if (!is_controlled()) return real_pthread_mutex_consistent(mutex);
  return front.at(mutex_resource(mutex)).mutex.make_consistent(front.self());
}

HEDDLE_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) noexcept {
  if (is_controlled()) {
    check_initialisation(address_of(lock), ResourceKind::spin_lock);
    note_initialisation(address_of(lock), ResourceKind::spin_lock);
  }
  return real_pthread_spin_init(lock, shared);
}

HEDDLE_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) noexcept {
  if (!is_controlled()) return real_pthread_spin_destroy(lock);
  if (front.is_exiting()) return 0;  // threads may use it until the process is gone
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
  front.execution().step(event(EventKind::try_lock, id, HEDDLE_PLACE));
  return try_take(front.still(id, [=] { return spin_resource(lock); }));
}

HEDDLE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  if (!is_controlled()) return real_pthread_spin_unlock(lock);
  return give_back(spin_resource(lock), HEDDLE_PLACE);
}
