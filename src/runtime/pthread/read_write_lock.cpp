// Read-write locks.
#include <pthread.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/misuse.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/order.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ReadWriteLock;
using model::ResourceKind;

HEDDLE_REAL(pthread_rwlock_init);
HEDDLE_REAL(pthread_rwlock_destroy);
HEDDLE_REAL(pthread_rwlock_rdlock);
HEDDLE_REAL(pthread_rwlock_tryrdlock);
HEDDLE_REAL(pthread_rwlock_timedrdlock);
HEDDLE_REAL(pthread_rwlock_clockrdlock);
HEDDLE_REAL(pthread_rwlock_wrlock);
HEDDLE_REAL(pthread_rwlock_trywrlock);
HEDDLE_REAL(pthread_rwlock_timedwrlock);
HEDDLE_REAL(pthread_rwlock_clockwrlock);
HEDDLE_REAL(pthread_rwlock_unlock);

namespace {

constexpr unsigned kDestroyed = 0x6465'6164;  // written into the flags, because libc leaves no mark there

constexpr model::HappensBefore::Side kOfReaders = model::HappensBefore::kSecond;

using Take = int (ReadWriteLock::*)(OperationId);

ResourceId lock_resource(pthread_rwlock_t* lock) {
  return front.resource(lock, ResourceKind::read_write_lock, [lock](model::Resource& fresh) {
    if (lock->__data.__flags == kDestroyed) used_after_destruction(lock, ResourceKind::read_write_lock);
    fresh.read_write_lock = ReadWriteLock(lock->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  });
}

/// Readers learn from writers; writers learn from both.
void learn(ResourceId id, Take take) {
  acquires_lock(id);
  if (take == &ReadWriteLock::write_lock || take == &ReadWriteLock::try_write_lock) acquires(id, kOfReaders);
}

int apply(ResourceId id, Take take) {
  const int result = (front.at(id).read_write_lock.*take)(front.self());
  if (result == 0) learn(id, take);
  front.execution().changed(id);
  return result;
}

int lock(pthread_rwlock_t* at, EventKind kind, Take take, const Deadline& deadline, const void* place) {
  if (deadline.error) return deadline.error;
  const ResourceId id = lock_resource(at);
  if (deadline.time != engine::kNever) front.at(id).looked_at = true;
  return front.execution().step_when_admitted(event(kind, id, place), deadline.time) ? apply(id, take) : ETIMEDOUT;
}

/// For a lock that prefers writers: finding it taken, and so holding up readers, is an event of its own.
int lock_as_preferred_writer(ResourceId id, EventKind kind, const Deadline& deadline, const void* place) {
  engine::Execution& execution = front.execution();
  front.at(id).looked_at = true;
  execution.step(event(EventKind::try_write_lock, id, place));
  if (front.at(id).read_write_lock.admits_write(front.self())) return apply(id, &ReadWriteLock::write_lock);
  front.at(id).read_write_lock.writer_waits();
  execution.changed(id);
  const bool admitted = execution.step_when_admitted(event(kind, id, place), deadline.time);
  front.at(id).read_write_lock.writer_waits_no_more();
  if (admitted) return apply(id, &ReadWriteLock::write_lock);
  execution.changed(id);
  return ETIMEDOUT;
}

int write_lock(pthread_rwlock_t* at, EventKind kind, const Deadline& deadline, const void* place) {
  if (deadline.error) return deadline.error;
  const ResourceId id = lock_resource(at);
  if (front.at(id).read_write_lock.prefers_writers()) return lock_as_preferred_writer(id, kind, deadline, place);
  return lock(at, kind, &ReadWriteLock::write_lock, deadline, place);
}

int try_lock(pthread_rwlock_t* at, EventKind kind, Take take, const void* place) {
  const ResourceId id = lock_resource(at);
  front.at(id).looked_at = true;
  front.execution().step(event(kind, id, place));
  return apply(front.still(id, [=] { return lock_resource(at); }), take);
}

}  // namespace

HEDDLE_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) noexcept {
  if (is_controlled()) {
    check_initialisation(lock, ResourceKind::read_write_lock, HEDDLE_PLACE);
    note_initialisation(lock, ResourceKind::read_write_lock);
  }
  return real_pthread_rwlock_init(lock, attributes);
}

HEDDLE_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_destroy(lock);
  if (front.is_exiting()) return 0;  // threads may use it until the process is gone
  stand_before_destruction(lock, ResourceKind::read_write_lock, HEDDLE_PLACE);
  if (const int error = check_destruction(lock, ResourceKind::read_write_lock, lock->__data.__flags == kDestroyed))
    return error;
  note_destruction(lock, ResourceKind::read_write_lock);
  const int result = real_pthread_rwlock_destroy(lock);
  lock->__data.__flags = kDestroyed;
  return result;
}

HEDDLE_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* at) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_rdlock(at);
  return lock(at, EventKind::read_lock, &ReadWriteLock::read_lock, {}, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* at) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_tryrdlock(at);
  return try_lock(at, EventKind::try_read_lock, &ReadWriteLock::try_read_lock, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* at, const timespec* until) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_timedrdlock(at, until);
  return lock(at, EventKind::timed_read_lock, &ReadWriteLock::read_lock, deadline_at(CLOCK_REALTIME, until),
              HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* at, clockid_t clock, const timespec* until) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_clockrdlock(at, clock, until);
  return lock(at, EventKind::timed_read_lock, &ReadWriteLock::read_lock, deadline_at(clock, until), HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* at) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_wrlock(at);
  return write_lock(at, EventKind::write_lock, {}, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* at) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_trywrlock(at);
  return try_lock(at, EventKind::try_write_lock, &ReadWriteLock::try_write_lock, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* at, const timespec* until) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_timedwrlock(at, until);
  return write_lock(at, EventKind::timed_write_lock, deadline_at(CLOCK_REALTIME, until), HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* at, clockid_t clock, const timespec* until) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_clockwrlock(at, clock, until);
  return write_lock(at, EventKind::timed_write_lock, deadline_at(clock, until), HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* at) noexcept {
  if (!is_controlled()) return real_pthread_rwlock_unlock(at);
  const ResourceId id = lock_resource(at);
  const bool writes = front.at(id).read_write_lock.writer() == front.self();
  front.execution().step_to_give_back(
      event(writes ? EventKind::write_unlock : EventKind::read_unlock, id, HEDDLE_PLACE));
  if (front.at(id).read_write_lock.unlock(front.self()) != 0)
    return unlocked_by_a_stranger(id, front.at(id).read_write_lock.holder());
  releases_lock(id, writes ? model::HappensBefore::kFirst : kOfReaders);
  front.execution().changed(id);
  front.released(HEDDLE_PLACE);
  return 0;
}

HEDDLE_ALIAS(__pthread_rwlock_init, pthread_rwlock_init);
HEDDLE_ALIAS(__pthread_rwlock_destroy, pthread_rwlock_destroy);
HEDDLE_ALIAS(__pthread_rwlock_rdlock, pthread_rwlock_rdlock);
HEDDLE_ALIAS(__pthread_rwlock_tryrdlock, pthread_rwlock_tryrdlock);
HEDDLE_ALIAS(__pthread_rwlock_wrlock, pthread_rwlock_wrlock);
HEDDLE_ALIAS(__pthread_rwlock_trywrlock, pthread_rwlock_trywrlock);
HEDDLE_ALIAS(__pthread_rwlock_unlock, pthread_rwlock_unlock);
