// timerfd: see timers.hpp.
#include <sys/timerfd.h>

#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/timers.hpp"
#include "runtime/io/transfer.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using namespace heddle::runtime::io;

HEDDLE_REAL(timerfd_create);
HEDDLE_REAL(timerfd_settime);
HEDDLE_REAL(timerfd_gettime);

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

bool is_clock_of_timers(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
         clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
}

/// The flags of an eventfd have the same values.
long controlled_create(clockid_t clock, int flags) {
  if (!is_clock_of_timers(clock)) return -EINVAL;
  const long made = kernel(SYS_eventfd2, 0L, flags);
  if (made < 0) return made;
  const int descriptor = static_cast<int>(made);
  descriptors.made(descriptor, Nature::other, true, timers.add(descriptor, clock));
  return made;
}

timespec as_timespec(std::uint64_t ns) { return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)}; }

bool is_zero(const timespec& time) { return time.tv_sec == 0 && time.tv_nsec == 0; }

itimerspec setting_of(const Timer& timer) {
  const std::uint64_t now = front.scheduler().look_at_clock();
  itimerspec setting{};
  setting.it_interval = as_timespec(timer.interval);
  if (timer.end != engine::kNever) setting.it_value = as_timespec(timer.end > now ? timer.end - now : 1);
  return setting;
}

/// Discards expirations of the old setting.
void drain(int descriptor) {
  pollfd wanted{descriptor, POLLIN, 0};
  std::uint64_t unused = 0;
  if (poll_now(&wanted, 1) > 0 && (wanted.revents & POLLIN) != 0)
    kernel(SYS_read, descriptor, &unused, static_cast<long>(sizeof unused));
}

long set(int descriptor, Timer& timer, int flags, const itimerspec& setting, itimerspec* old) {
  const Deadline interval = deadline_after(&setting.it_interval);
  const Deadline end = (flags & TFD_TIMER_ABSTIME) != 0 ? deadline_at(timer.clock, &setting.it_value)
                                                        : deadline_after(&setting.it_value);
  if (interval.error || end.error) return -EINVAL;
  if (old != nullptr) *old = setting_of(timer);
  drain(descriptor);
  timer.interval = interval.time - front.scheduler().look_at_clock();
  timer.end = is_zero(setting.it_value) ? engine::kNever : end.time;
  timers.fire(front.scheduler().look_at_clock());
  return 0;
}

}  // namespace

HEDDLE_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  if (!is_controlled()) return real_timerfd_create(clock, flags);
  return static_cast<int>(answer(controlled_create(clock, flags)));
}

HEDDLE_EXPORT int timerfd_settime(int descriptor, int flags, const itimerspec* setting, itimerspec* old) noexcept {
  if (!is_controlled()) return real_timerfd_settime(descriptor, flags, setting, old);
  const std::uint32_t timer = descriptors.of(descriptor).timer;
  if (timer == 0) return real_timerfd_settime(descriptor, flags, setting, old);
  return static_cast<int>(answer(step_and_call(event_of(Direction::out, descriptor, HEDDLE_CALL_PLACE), [&] {
    return set(descriptor, timers.at(timer), flags, *setting, old);
  })));
}

HEDDLE_EXPORT int timerfd_gettime(int descriptor, itimerspec* setting) noexcept {
  if (!is_controlled()) return real_timerfd_gettime(descriptor, setting);
  const std::uint32_t timer = descriptors.of(descriptor).timer;
  if (timer == 0) return real_timerfd_gettime(descriptor, setting);
  timers.fire(front.scheduler().look_at_clock());
  *setting = setting_of(timers.at(timer));
  return 0;
}
