// epoll. An epoll descriptor can itself be polled, and is ready exactly when epoll_wait would return something. So the
// kernel keeps the sets, and an operation waits for one descriptor. Signal masks are ignored.
#include <sys/epoll.h>
#include <time.h>

#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/timers.hpp"
#include "runtime/io/transfer.hpp"
#include "runtime/io/waiting.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using namespace heddle::runtime::io;
using model::EventKind;

HEDDLE_REAL(epoll_create);
HEDDLE_REAL(epoll_create1);
HEDDLE_REAL(epoll_ctl);
HEDDLE_REAL(epoll_wait);
HEDDLE_REAL(epoll_pwait);
HEDDLE_REAL(epoll_pwait2);

namespace {

long controlled_create(int flags) {
  const long made = kernel(SYS_epoll_create1, flags);
  if (made < 0) return made;
  descriptors.made(static_cast<int>(made), Nature::other, true);
  return made;
}

/// Notes which object can now make the set ready.
void changed_set(int epoll, int operation, int descriptor) {
  const Descriptor what = descriptors.of(descriptor);
  const std::uint32_t set = descriptors.of(epoll).object;
  objects.watch(set, what.object);
  objects.set_sync(set, resource_of(epoll));
  if (operation == EPOLL_CTL_DEL) {
    if (what.timer != 0) timers.stop_watching(epoll, what.timer);
    return;
  }
  if (!what.inside) descriptors.opened_to_outside(epoll);
  if (operation == EPOLL_CTL_ADD && what.timer != 0) timers.watch(epoll, what.timer);
}

long controlled_control(int epoll, int operation, int descriptor, epoll_event* wish, const void* place) {
  return step_and_call({EventKind::descriptor_write, resource_of(epoll), place}, [&] {
    touch_object(descriptors.of(descriptor).object, model::Does::reads);
    const long result = kernel(SYS_epoll_ctl, epoll, operation, descriptor, wish);
    if (result == 0) changed_set(epoll, operation, descriptor);
    return result;
  });
}

long controlled_wait(int epoll, epoll_event* events, int most, const timespec* timeout, const void* place) {
  const Deadline deadline = deadline_after(timeout);
  if (deadline.error) return -deadline.error;
  const auto call = [&] {
    touch_object(descriptors.of(epoll).object, model::Does::writes);  // it hands out ready descriptors in turn
    const long count = kernel_to_the_end(SYS_epoll_pwait, epoll, events, most, 0L, nullptr, 0L);
    if (count > 0) pass_knowledge(epoll, Direction::in);
    return count;
  };
  const model::Event polls{EventKind::poll, resource_of(epoll), place};
  if (timeout != nullptr && timeout->tv_sec == 0 && timeout->tv_nsec == 0) return step_and_call(polls, call);
  if (most <= 0) return -EINVAL;
  act_on_cancel();
  pollfd wanted{epoll, POLLIN, 0};
  for (;;) {
    const bool ready = waiting.stand(polls, {&wanted, 1}, deadline.time);
    const long result = call();
    waiting.look_again();  // others need not wait for an event reported once, at an edge or to one waiter
    if (result != 0 || !ready) return result;
  }
}

long wait_milliseconds(int epoll, epoll_event* events, int most, int timeout, const void* place) {
  const timespec duration{timeout / 1000, timeout % 1000 * 1'000'000L};
  return controlled_wait(epoll, events, most, timeout < 0 ? nullptr : &duration, place);
}

}  // namespace

HEDDLE_EXPORT int epoll_create(int size) noexcept {
  if (!is_controlled() || size <= 0) return real_epoll_create(size);
  return static_cast<int>(answer(controlled_create(0)));
}

HEDDLE_EXPORT int epoll_create1(int flags) noexcept {
  if (!is_controlled()) return real_epoll_create1(flags);
  return static_cast<int>(answer(controlled_create(flags)));
}

HEDDLE_EXPORT int epoll_ctl(int epoll, int operation, int descriptor, epoll_event* wish) noexcept {
  if (!is_controlled()) return real_epoll_ctl(epoll, operation, descriptor, wish);
  return static_cast<int>(answer(controlled_control(epoll, operation, descriptor, wish, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int epoll_wait(int epoll, epoll_event* events, int most, int timeout) {
  if (!is_controlled()) return real_epoll_wait(epoll, events, most, timeout);
  return static_cast<int>(answer(wait_milliseconds(epoll, events, most, timeout, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int epoll_pwait(int epoll, epoll_event* events, int most, int timeout, const sigset_t* mask) {
  if (!is_controlled()) return real_epoll_pwait(epoll, events, most, timeout, mask);
  return static_cast<int>(answer(wait_milliseconds(epoll, events, most, timeout, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int epoll_pwait2(int epoll, epoll_event* events, int most, const timespec* timeout,
                               const sigset_t* mask) {
  if (!is_controlled()) return real_epoll_pwait2(epoll, events, most, timeout, mask);
  return static_cast<int>(answer(controlled_wait(epoll, events, most, timeout, HEDDLE_CALL_PLACE)));
}
