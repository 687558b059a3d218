// Creating, joining, detaching and ending threads. A thread that the body creates is an operation on a donor.
#include <pthread.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(pthread_create);
HEDDLE_REAL(pthread_join);
HEDDLE_REAL(pthread_tryjoin_np);
HEDDLE_REAL(pthread_timedjoin_np);
HEDDLE_REAL(pthread_clockjoin_np);
HEDDLE_REAL(pthread_detach);

namespace {

ResourceId lifetime_of(pthread_t thread) {
  return front.table().find(reinterpret_cast<void*>(thread), ResourceKind::operation);
}

int create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument,
           const void* place) {
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detach_state);
  engine::Execution& execution = front.execution();
  execution.step(event(EventKind::create, kNoResource, place));
  const OperationId id = front.start_thread(body, argument, detach_state == PTHREAD_CREATE_DETACHED);
  if (id == kNoOperation) return EAGAIN;
  if (execution.is_recording()) execution.recorder()->about(execution.lifetime_id(id));
  *thread = execution.executor().thread_pointer(id);
  return 0;
}

/// Takes the result of an operation that has ended; its thread is gone after that.
int take_result(ResourceId lifetime, void** result) {
  model::Lifetime& ended = front.at(lifetime).lifetime;
  ended.join();
  if (result != nullptr) *result = front.thread(ended.of()).result;
  front.execution().disown(ended.of());
  return 0;
}

int join(pthread_t thread, void** result, std::uint64_t deadline, const void* place) {
  const ResourceId lifetime = lifetime_of(thread);
  if (lifetime == kNoResource) return ESRCH;
  act_on_cancel();
  if (const int error = front.at(lifetime).lifetime.may_join(front.self())) return error;
  const bool admitted = front.execution().step_when_admitted(event(EventKind::join, lifetime, place), deadline);
  if (taken_out_to_cancel()) act_on_cancel();
  if (!admitted) return ETIMEDOUT;
  if (const int error = front.at(lifetime).lifetime.may_join(front.self())) return error;  // somebody was faster
  return take_result(lifetime, result);
}

}  // namespace

HEDDLE_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                                 void* argument) {
  if (front.takes_introduction(body, argument)) return 0;
  if (!is_controlled()) return real_pthread_create(thread, attributes, body, argument);
  return create(thread, attributes, body, argument, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_join(pthread_t thread, void** result) {
  if (!is_controlled()) return real_pthread_join(thread, result);
  return join(thread, result, engine::kNever, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
  if (!is_controlled()) return real_pthread_tryjoin_np(thread, result);
  const ResourceId lifetime = lifetime_of(thread);
  if (lifetime == kNoResource) return ESRCH;
  front.execution().step(event(EventKind::detach, lifetime, HEDDLE_PLACE));
  if (const int error = front.at(lifetime).lifetime.may_join(front.self())) return error;
  return front.at(lifetime).lifetime.has_ended() ? take_result(lifetime, result) : EBUSY;
}

HEDDLE_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* until) {
  if (!is_controlled()) return real_pthread_timedjoin_np(thread, result, until);
  const Deadline deadline = deadline_at(CLOCK_REALTIME, until);
  return deadline.error ? deadline.error : join(thread, result, deadline.time, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* until) {
  if (!is_controlled()) return real_pthread_clockjoin_np(thread, result, clock, until);
  const Deadline deadline = deadline_at(clock, until);
  return deadline.error ? deadline.error : join(thread, result, deadline.time, HEDDLE_PLACE);
}

HEDDLE_EXPORT int pthread_detach(pthread_t thread) noexcept {
  if (!is_controlled()) return real_pthread_detach(thread);
  const ResourceId lifetime = lifetime_of(thread);
  if (lifetime == kNoResource) return ESRCH;
  front.execution().step(event(EventKind::detach, lifetime, HEDDLE_PLACE));
  if (const int error = front.at(lifetime).lifetime.detach()) return error;
  front.execution().disown(front.at(lifetime).lifetime.of());
  return 0;
}

extern "C" int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* dso);
HEDDLE_REAL(__cxa_thread_atexit_impl);

HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* dso) {
  if (!is_controlled()) return real___cxa_thread_atexit_impl(function, object, dso);
  front.at_thread_exit(function, object);
  return 0;
}
