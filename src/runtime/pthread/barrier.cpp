// Barriers.
#include <pthread.h>

#include <cerrno>
#include <climits>

#include "runtime/front.hpp"
#include "runtime/misuse.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"
#include "runtime/tsan/order.hpp"

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
  unsigned count;  // 0: destroyed; heddle sets this, because libc leaves no mark
};

unsigned& count_of(pthread_barrier_t* barrier) { return reinterpret_cast<BarrierLayout*>(barrier)->count; }

ResourceId barrier_resource(pthread_barrier_t* barrier) {
  return front.resource(barrier, ResourceKind::barrier, [barrier](model::Resource& fresh) {
    if (count_of(barrier) == 0) used_after_destruction(barrier, ResourceKind::barrier);
    fresh.barrier = model::Barrier(count_of(barrier));
  });
}

/// Not 0: no barrier can be made for this count.
int check_count(pthread_barrier_t* barrier, unsigned count) {
  if (count == 0 || count > INT_MAX)
    return misused(model::Misuse::barrier_count, EINVAL, "initialises a barrier for %d operations",
                   static_cast<int>(count));
  const ResourceId id = front.table().find(barrier, ResourceKind::barrier);
  if (id == kNoResource) return 0;
  const unsigned waiting = front.at(id).barrier.waiters().size();
  if (waiting <= count) return 0;
  return misused(model::Misuse::barrier_count, EBUSY, "initialises %s for %u operations while %u wait there",
                 described(id).text, count, waiting);
}

}  // namespace

HEDDLE_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                       unsigned count) noexcept {
  if (is_controlled()) {
    if (const int error = check_count(barrier, count)) return error;
    check_initialisation(barrier, ResourceKind::barrier, HEDDLE_PLACE);
    note_initialisation(barrier, ResourceKind::barrier);
  }
  return real_pthread_barrier_init(barrier, attributes, count);
}

HEDDLE_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) noexcept {
  if (!is_controlled()) return real_pthread_barrier_destroy(barrier);
  if (front.is_exiting()) return 0;  // threads may use it until the process is gone
  stand_before_destruction(barrier, ResourceKind::barrier, HEDDLE_PLACE);
  if (const int error = check_destruction(barrier, ResourceKind::barrier, count_of(barrier) == 0)) return error;
  note_destruction(barrier, ResourceKind::barrier);
  const int result = real_pthread_barrier_destroy(barrier);
  count_of(barrier) = 0;
  return result;
}

HEDDLE_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (!is_controlled()) return real_pthread_barrier_wait(barrier);
  const void* const place = HEDDLE_PLACE;
  ResourceId id = barrier_resource(barrier);
  begin_wait_in_queue();
  engine::Execution& execution = front.execution();
  execution.step(event(EventKind::arrive, id, place));
  id = front.still(id, [=] { return barrier_resource(barrier); });
  engine::Scheduler& scheduler = execution.scheduler();
  releases(id);
  if (front.at(id).barrier.completes()) {
    if (memory_is_watched) [[unlikely]]
      memory_order.pass_on(sync_of(id));
    acquires(id, model::HappensBefore::kSecond);
    while (!front.at(id).barrier.waiters().empty()) {
      const OperationId waiter = front.at(id).barrier.waiters().front();
      front.at(id).barrier.waiters().remove(scheduler.links(), waiter);
      scheduler.stand(waiter, event(EventKind::leave, id, scheduler.next(waiter).place));
    }
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  front.at(id).barrier.waiters().push(scheduler.links(), front.self());
  execution.step_when_woken(event(EventKind::leave, id, place));
  acquires(id, model::HappensBefore::kSecond);
  return 0;
}
