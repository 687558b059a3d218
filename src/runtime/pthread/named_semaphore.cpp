// Named semaphores. Once opened, they are semaphores like any other, identified by their address; libc gives every
// opener in a process the same address. The name, and what it stands for, belongs to the system. The value is written
// back to the system when the semaphore is closed, so that opening it again finds it as it was left.
#include <fcntl.h>
#include <semaphore.h>

#include <cstdarg>

#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(sem_open);
HEDDLE_REAL(sem_close);
HEDDLE_REAL(sem_unlink);
HEDDLE_REAL(sem_getvalue);
HEDDLE_REAL(sem_post);
HEDDLE_REAL(sem_trywait);

namespace {

void give_value_back(sem_t* semaphore, ResourceId id) {
  int real = 0;
  real_sem_getvalue(semaphore, &real);
  const auto wanted = static_cast<int>(front.at(id).semaphore.value());
  for (; real < wanted; ++real) real_sem_post(semaphore);
  for (; real > wanted; --real) real_sem_trywait(semaphore);
}

void step(const void* place) { front.execution().step(event(EventKind::step, kNoResource, place)); }

}  // namespace

HEDDLE_EXPORT sem_t* sem_open(const char* name, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  const mode_t mode = (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0;
  const unsigned value = (flags & O_CREAT) != 0 ? va_arg(list, unsigned) : 0;
  va_end(list);
  if (is_controlled()) step(HEDDLE_PLACE);
  return real_sem_open(name, flags, mode, value);
}

HEDDLE_EXPORT int sem_close(sem_t* semaphore) noexcept {
  if (!is_controlled()) return real_sem_close(semaphore);
  step(HEDDLE_PLACE);
  const ResourceId id = front.table().find(semaphore, ResourceKind::semaphore);
  if (id != kNoResource) {
    give_value_back(semaphore, id);
    if (front.at(id).standing == kNoOperation) front.forget(semaphore, ResourceKind::semaphore);
  }
  return real_sem_close(semaphore);
}

HEDDLE_EXPORT int sem_unlink(const char* name) noexcept {
  if (is_controlled()) step(HEDDLE_PLACE);
  return real_sem_unlink(name);
}
