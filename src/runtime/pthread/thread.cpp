// Creating, joining, detaching and ending threads. A thread that the body creates is an operation on a donor.
#include <pthread.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/misuse.hpp"
#include "runtime/pthread/attributes.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/order.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::Misuse;
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

[[gnu::noinline]] int start_as_wanted(const pthread_attr_t* attributes, void* (*body)(void*), void* argument,
                                      OperationId& id) {
  Wanted wanted;
  if (const int error = read_attributes(attributes, wanted)) return error;
  id = front.start_thread(body, argument, wanted.is_detached, wanted.stack);
  if (id == kNoOperation) return 0;
  if (wanted.has_traits) traits.set(id, wanted.traits);
  if (wanted.has_mask) signals.mask_of(id) = wanted.mask;
  return 0;
}

int create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument,
           const void* place) {
  engine::Execution& execution = front.execution();
  execution.step_alone(event(EventKind::create, kNoResource, place));
  const bool is_usual = attributes == nullptr && !usual_attributes_changed;
  OperationId id = kNoOperation;
  const int error = is_usual ? 0 : start_as_wanted(attributes, body, argument, id);
  if (error != 0) [[unlikely]]
    return error;
  if (is_usual) [[likely]]
    id = front.start_thread(body, argument, false);
  if (id == kNoOperation) return EAGAIN;
  if (execution.is_recording()) execution.recorder()->about(execution.lifetime_id(id));
  *thread = execution.executor().thread_pointer(id);
  front.released(place);
  return 0;
}

/// Takes the result of an operation that has ended; its thread is gone afterwards.
int take_result(ResourceId lifetime, void** result) {
  model::Lifetime& ended = front.at(lifetime).lifetime;
  ended.join(front.self());
  if (memory_is_watched) [[unlikely]]
    memory_order.join(front.self(), ended.of());
  if (result != nullptr) *result = front.thread(ended.of()).result;
  front.execution().disown(ended.of());
  return 0;
}

[[gnu::cold]] int joined_wrongly(const model::Lifetime& other, int error) {
  const unsigned who = index(other.of());
  if (other.of() == front.self()) return misused(Misuse::join_self, error, "joins itself");
  if (other.is_joined())
    return misused(Misuse::join_twice, error, "joins T%u, which %s", who, doing(other.joiner(), "joined").text);
  if (other.is_detached()) return misused(Misuse::join_detached, error, "joins T%u, which is detached", who);
  return misused(Misuse::join_twice, error, "joins T%u, which %s already", who,
                 doing(other.joiner(), "is joining").text);
}

int join(pthread_t thread, void** result, std::uint64_t deadline, const void* place) {
  const ResourceId id = lifetime_of(thread);
  if (id == kNoResource)
    return misused(Misuse::join_unknown, ESRCH, "joins a thread that this execution never made, or no longer has");
  act_on_cancel();
  if (const int error = front.at(id).lifetime.may_join(front.self()))
    return joined_wrongly(front.at(id).lifetime, error);
  front.at(id).lifetime.begin_join(front.self());
  if (front.scheduler().collects_footprints()) [[unlikely]]
    front.scheduler().touch_part(model::Footprint::joiner_of(front.at(id), id, model::Does::writes));
  if (front.at(id).lifetime.has_ended() && front.scheduler().spares_choices()) {
    front.execution().step_alone(event(EventKind::join, id, place));
    return take_result(id, result);
  }
  const bool admitted = front.execution().step_when_admitted(event(EventKind::join, id, place), deadline);
  const bool cancelled = taken_out_to_cancel();
  if (cancelled || !admitted) front.at(id).lifetime.give_up_join();
  if (cancelled) act_on_cancel();
  return admitted ? take_result(id, result) : ETIMEDOUT;
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
  front.execution().step(event(EventKind::try_join, lifetime, HEDDLE_PLACE));
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
  model::Lifetime& other = front.at(lifetime).lifetime;
  if (other.is_being_joined()) return 0;  // as in libc: the joiner releases the thread
  const bool was_joined = other.is_joined();
  if (const int error = other.detach())
    return misused(Misuse::detach_twice, error, "detaches T%u, which %s already", index(other.of()),
                   was_joined ? "was joined" : "is detached");
  front.execution().disown(other.of());
  return 0;
}

extern "C" int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* dso);
HEDDLE_REAL(__cxa_thread_atexit_impl);

HEDDLE_EXPORT int __cxa_thread_atexit_impl(void (*function)(void*), void* object, void* dso) {
  if (!is_controlled()) return real___cxa_thread_atexit_impl(function, object, dso);
  front.at_thread_exit(function, object);
  return 0;
}
