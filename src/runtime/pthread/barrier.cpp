// Barriers.
#include <pthread.h>

#include "runtime/front.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(pthread_barrier_init);
HEDDLE_REAL(pthread_barrier_destroy);
HEDDLE_REAL(pthread_barrier_wait);

namespace {

/// The first fields of glibc's barrier; pthread.h shows it as bytes.
struct BarrierLayout {
  unsigned in;
  unsigned current_round;
  unsigned count;
};

ResourceId barrier_resource(pthread_barrier_t* barrier) {
  return front.resource(barrier, ResourceKind::barrier, [barrier](model::Resource& fresh) {
    fresh.barrier = model::Barrier(reinterpret_cast<const BarrierLayout*>(barrier)->count);
  });
}

}  // namespace

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                       unsigned count) noexcept {
  if (is_controlled()) front.forget(barrier, ResourceKind::barrier);
  return real_pthread_barrier_init(barrier, attributes, count);
}

HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (is_controlled()) front.forget(barrier, ResourceKind::barrier);
  return real_pthread_barrier_destroy(barrier);
}

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (!is_controlled()) return real_pthread_barrier_wait(barrier);
  const void* const place = HEDDLE_PLACE;
  const ResourceId id = barrier_resource(barrier);
  begin_wait_in_queue();
  engine::Execution& execution = front.execution();
  execution.step(event(EventKind::arrive, id, place));
  engine::Scheduler& scheduler = execution.scheduler();
  if (front.at(id).barrier.completes()) {
    while (!front.at(id).barrier.waiters().empty()) {
      const OperationId waiter = front.at(id).barrier.waiters().front();
      front.at(id).barrier.waiters().remove(scheduler.links(), waiter);
      scheduler.stand(waiter, event(EventKind::leave, id, scheduler.next(waiter).place));
    }
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  front.at(id).barrier.waiters().push(scheduler.links(), front.self());
  execution.step_when_woken(event(EventKind::leave, id, place));
  return 0;
}
