// Cancellation, deferred: a thread ends at its next cancellation point. These are condition waits, joins, semaphore
// waits, sleeps, waits for descriptors, for signals and for child processes, and pthread_testcancel. Asynchronous
// cancellation is treated as deferred.
#include <pthread.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(pthread_cancel);
HEDDLE_REAL(pthread_setcancelstate);
HEDDLE_REAL(pthread_setcanceltype);
HEDDLE_REAL(pthread_testcancel);

namespace heddle::runtime {

/// An operation that waited for a condition does so no more: a signal that comes now is for another waiter.
void take_out_to_cancel(OperationId id, const model::Event& waits) {
  front.thread(id).woken_to_cancel = true;
  if (waits.kind != EventKind::wake) return;
  front.at(waits.resource).condition.waiters().remove(front.scheduler().links(), id);
  front.scheduler().touch(waits.resource, model::Does::writes);
}

void end_cancelled() {
  front.this_thread().cancel_disabled = true;  // once is enough
  pthread_exit(PTHREAD_CANCELED);
}

}  // namespace heddle::runtime

HEDDLE_EXPORT int pthread_cancel(pthread_t thread) {
  if (!is_controlled()) return real_pthread_cancel(thread);
  const ResourceId lifetime = front.table().find(reinterpret_cast<void*>(thread), ResourceKind::operation);
  if (lifetime == kNoResource) return ESRCH;
  front.execution().step(event(EventKind::cancel, lifetime, HEDDLE_PLACE));
  const model::Lifetime& target = front.at(lifetime).lifetime;
  if (target.has_ended()) return 0;
  Thread& other = front.thread(target.of());
  other.cancel_requested = true;
  front.scheduler().touch(target.of(), model::Does::writes);
  if (target.of() == front.self() || other.cancel_disabled || other.woken_to_cancel) return 0;
  engine::Scheduler& scheduler = front.scheduler();
  if (!model::row(scheduler.next(target.of()).kind).cancels) return 0;
  take_out_to_cancel(target.of(), scheduler.next(target.of()));
  scheduler.stand(target.of(), event(EventKind::test_cancel, kNoResource, scheduler.next(target.of()).place));
  return 0;
}

HEDDLE_EXPORT int pthread_setcancelstate(int state, int* old_state) {
  if (!is_controlled()) return real_pthread_setcancelstate(state, old_state);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  Thread& mine = front.this_thread();
  if (old_state != nullptr) *old_state = mine.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  mine.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

HEDDLE_EXPORT int pthread_setcanceltype(int type, int* old_type) {
  if (!is_controlled()) return real_pthread_setcanceltype(type, old_type);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  Thread& mine = front.this_thread();
  if (old_type != nullptr)
    *old_type = mine.cancel_is_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  mine.cancel_is_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (mine.cancel_is_asynchronous) act_on_cancel();
  return 0;
}

HEDDLE_EXPORT void pthread_testcancel() {
  if (!is_controlled()) return real_pthread_testcancel();
  front.execution().step(event(EventKind::test_cancel, kNoResource, HEDDLE_PLACE));
  act_on_cancel();
}
