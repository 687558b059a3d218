// flockfile: a recursive lock that a program holds around several calls that write to one stream.
//
// libc's own lock stays free: whatever else uses the stream takes that inside libc, where heddle cannot let another
// operation run, and would stop all of them. So the calls of a lock holder stay together for those that use this lock,
// and printf of another operation may come between: see docs/limits.md.
#include <stdio.h>

#include <new>

#include "runtime/front.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/order.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(flockfile);
HEDDLE_REAL(ftrylockfile);
HEDDLE_REAL(funlockfile);

namespace {

ResourceId resource_of(FILE* stream) {
  return front.resource(stream, ResourceKind::mutex,
                        [](model::Resource& fresh) { new (&fresh.mutex) model::Mutex(model::MutexType::recursive); });
}

void take(ResourceId id) {
  model::Mutex& mutex = front.at(id).mutex;
  const bool was_free = mutex.is_free();
  mutex.lock(front.self());
  acquires_lock(id);
  if (was_free) front.execution().changed(id);
}

}  // namespace

HEDDLE_EXPORT void flockfile(FILE* stream) noexcept {
  if (!is_controlled()) return real_flockfile(stream);
  const ResourceId id = resource_of(stream);
  front.execution().step_when_admitted(event(EventKind::lock, id, HEDDLE_PLACE));
  take(id);
}

HEDDLE_EXPORT int ftrylockfile(FILE* stream) noexcept {
  if (!is_controlled()) return real_ftrylockfile(stream);
  const ResourceId id = resource_of(stream);
  front.execution().step(event(EventKind::try_lock, id, HEDDLE_PLACE));
  if (!front.at(id).mutex.admits_lock(front.self())) return -1;
  take(id);
  return 0;
}

HEDDLE_EXPORT void funlockfile(FILE* stream) noexcept {
  if (!is_controlled()) return real_funlockfile(stream);
  const ResourceId id = resource_of(stream);
  front.execution().step(event(EventKind::unlock, id, HEDDLE_PLACE));
  model::Mutex& mutex = front.at(id).mutex;
  if (mutex.unlock(front.self()) != 0 || !mutex.is_free()) return;
  releases_lock(id);
  front.execution().changed(id);
}

HEDDLE_ALIAS(_IO_flockfile, flockfile);
HEDDLE_ALIAS(_IO_ftrylockfile, ftrylockfile);
HEDDLE_ALIAS(_IO_funlockfile, funlockfile);
