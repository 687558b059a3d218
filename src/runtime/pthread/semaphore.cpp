// POSIX semaphores. A semaphore made outside the exploration begins each execution with its value outside.
#include <semaphore.h>

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

HEDDLE_REAL(sem_init);
HEDDLE_REAL(sem_destroy);
HEDDLE_REAL(sem_wait);
HEDDLE_REAL(sem_trywait);
HEDDLE_REAL(sem_timedwait);
HEDDLE_REAL(sem_clockwait);
HEDDLE_REAL(sem_post);
HEDDLE_REAL(sem_getvalue);

namespace {

constexpr long kDestroyed = 0x6465'6164'8000'0000;  // not a valid value of a semaphore; libc leaves no mark there

ResourceId semaphore_resource(sem_t* semaphore) {
  return front.resource(semaphore, ResourceKind::semaphore, [semaphore](model::Resource& fresh) {
    if (semaphore->__align == kDestroyed) used_after_destruction(semaphore, ResourceKind::semaphore);
    int value = 0;
    real_sem_getvalue(semaphore, &value);
    fresh.semaphore = model::Semaphore(static_cast<std::uint32_t>(value));
  });
}

/// The semaphore's resource, a new one if it was destroyed while the caller stood before its event.
ResourceId still(ResourceId known, sem_t* semaphore) {
  return front.still(known, [=] { return semaphore_resource(semaphore); });
}

int failed(int error) {
  errno = error;
  return -1;
}

int wait(sem_t* semaphore, EventKind kind, const Deadline& deadline, const void* place) {
  if (deadline.error) return failed(deadline.error);
  act_on_cancel();
  const ResourceId id = semaphore_resource(semaphore);
  const bool admitted = front.execution().step_when_admitted(event(kind, id, place), deadline.time);
  if (taken_out_to_cancel()) act_on_cancel();
  if (taken_out_by_signal()) return failed(EINTR);
  if (!admitted) return failed(ETIMEDOUT);
  front.at(id).semaphore.acquire();
  acquires(id);
  front.execution().changed(id);
  return 0;
}

}  // namespace

HEDDLE_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) noexcept {
  if (is_controlled()) {
    check_initialisation(semaphore, ResourceKind::semaphore, HEDDLE_PLACE);
    note_initialisation(semaphore, ResourceKind::semaphore);
  }
  return real_sem_init(semaphore, shared, value);
}

HEDDLE_EXPORT int sem_destroy(sem_t* semaphore) noexcept {
  if (!is_controlled()) return real_sem_destroy(semaphore);
  if (front.is_exiting()) return 0;  // threads may use it until the process is gone
  stand_before_destruction(semaphore, ResourceKind::semaphore, HEDDLE_PLACE);
  if (const int error = check_destruction(semaphore, ResourceKind::semaphore, semaphore->__align == kDestroyed))
    return failed(error);
  note_destruction(semaphore, ResourceKind::semaphore);
  const int result = real_sem_destroy(semaphore);
  semaphore->__align = kDestroyed;
  return result;
}

HEDDLE_EXPORT int sem_wait(sem_t* semaphore) {
  if (!is_controlled()) return real_sem_wait(semaphore);
  return wait(semaphore, EventKind::acquire, {}, HEDDLE_PLACE);
}

HEDDLE_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  if (!is_controlled()) return real_sem_trywait(semaphore);
  ResourceId id = semaphore_resource(semaphore);
  front.execution().step(event(EventKind::try_acquire, id, HEDDLE_PLACE));
  id = still(id, semaphore);
  if (const int error = front.at(id).semaphore.try_acquire()) return failed(error);
  acquires(id);
  front.execution().changed(id);
  return 0;
}

HEDDLE_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* until) {
  if (!is_controlled()) return real_sem_timedwait(semaphore, until);
  return wait(semaphore, EventKind::timed_acquire, deadline_at(CLOCK_REALTIME, until), HEDDLE_PLACE);
}

HEDDLE_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* until) {
  if (!is_controlled()) return real_sem_clockwait(semaphore, clock, until);
  return wait(semaphore, EventKind::timed_acquire, deadline_at(clock, until), HEDDLE_PLACE);
}

HEDDLE_EXPORT int sem_post(sem_t* semaphore) noexcept {
  if (!is_controlled()) return real_sem_post(semaphore);
  ResourceId id = semaphore_resource(semaphore);
  front.execution().step(event(EventKind::release, id, HEDDLE_PLACE));
  id = still(id, semaphore);
  if (const int error = front.at(id).semaphore.release())
    return failed(misused(model::Misuse::semaphore_overflow, error, "releases %s, which is at its greatest value",
                          described(id).text));
  releases(id);
  front.execution().changed(id);
  front.released(HEDDLE_PLACE);
  return 0;
}

HEDDLE_EXPORT int sem_getvalue(sem_t* semaphore, int* value) noexcept {
  if (!is_controlled()) return real_sem_getvalue(semaphore, value);
  const ResourceId id = semaphore_resource(semaphore);
  front.execution().step(event(EventKind::read, id, HEDDLE_PLACE));
  *value = static_cast<int>(front.at(id).semaphore.value());
  return 0;
}
