// Clocks, sleeping and yielding.
#include <sched.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"
#include "runtime/tsan/watch.hpp"

extern "C" void __asan_init() __attribute__((weak));

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;

HEDDLE_REAL(clock_gettime);
HEDDLE_REAL(gettimeofday);
HEDDLE_REAL(time);
HEDDLE_REAL(nanosleep);
HEDDLE_REAL(clock_nanosleep);
HEDDLE_REAL(usleep);
HEDDLE_REAL(sleep);
HEDDLE_REAL(sched_yield);

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kReadCosts = 1'000;                      // ns that pass when a clock is read
constexpr std::uint64_t kDateAtStart = 1'735'689'600 * kSecond;  // 2025-01-01T00:00:00Z
constexpr std::uint64_t kUptimeAtStart = 1'000 * kSecond;

bool is_date(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI ||
         clock == CLOCK_REALTIME_ALARM;
}

bool is_processor_time(clockid_t clock) {
  return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

std::uint64_t origin(clockid_t clock) {
  return is_date(clock) ? kDateAtStart : is_processor_time(clock) ? 0 : kUptimeAtStart;
}

bool is_valid(const timespec& time) { return time.tv_nsec >= 0 && static_cast<std::uint64_t>(time.tv_nsec) < kSecond; }

std::uint64_t nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  constexpr auto kSecondsMax = static_cast<std::int64_t>(engine::kNever / kSecond / 2);  // as good as never
  const auto seconds = static_cast<std::uint64_t>(time.tv_sec < kSecondsMax ? time.tv_sec : kSecondsMax);
  return seconds * kSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

/// The processor time of another process or thread is left to the host.
bool is_virtual(clockid_t clock) { return clock >= 0; }

/// Returns the remaining time if a handler ended the sleep; 0: it was slept to its end.
std::uint64_t sleep_until(std::uint64_t time, const void* place) {
  act_on_cancel();
  front.execution().step_when_woken(event(EventKind::sleep, kNoResource, place), time);
  if (taken_out_to_cancel()) act_on_cancel();
  if (!taken_out_by_signal()) return 0;
  const std::uint64_t now = front.scheduler().look_at_clock();
  return time > now ? time - now : 1;
}

timespec as_timespec(std::uint64_t ns) { return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)}; }

}  // namespace

namespace heddle::runtime {

Deadline deadline_at(clockid_t clock, const timespec* until) {
  if (until == nullptr) return {};
  if (!is_valid(*until)) return {0, EINVAL};
  const std::uint64_t time = nanoseconds(*until);
  return {time > origin(clock) ? time - origin(clock) : 0, 0};
}

Deadline deadline_after(const timespec* duration) {
  if (duration == nullptr) return {};
  if (!is_valid(*duration)) return {0, EINVAL};
  return {front.scheduler().look_at_clock() + nanoseconds(*duration), 0};
}

timespec read_clock(clockid_t clock, const void* place) {
  engine::Scheduler& scheduler = front.scheduler();
  if (scheduler.enabled().size() > 1 && &__asan_init == nullptr)  // ASan's allocator reads it with its locks held
    front.execution().step(event(EventKind::read_clock, kNoResource, place));
  scheduler.advance_to(scheduler.now() + kReadCosts);
  note_seen_outside();
  const std::uint64_t now = origin(clock) + scheduler.now();
  return as_timespec(now);
}

}  // namespace heddle::runtime

HEDDLE_EXPORT int clock_gettime(clockid_t clock, timespec* result) noexcept {
  if (!is_controlled() || !is_virtual(clock)) return real_clock_gettime(clock, result);
  *result = read_clock(clock, HEDDLE_CALL_PLACE);
  return 0;
}

HEDDLE_EXPORT int gettimeofday(timeval* __restrict result, void* __restrict zone) noexcept {
  if (!is_controlled()) return real_gettimeofday(result, zone);
  const timespec now = read_clock(CLOCK_REALTIME, HEDDLE_CALL_PLACE);
  *result = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

HEDDLE_EXPORT time_t time(time_t* result) noexcept {
  if (!is_controlled()) return real_time(result);
  const timespec now = read_clock(CLOCK_REALTIME, HEDDLE_CALL_PLACE);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

HEDDLE_EXPORT int nanosleep(const timespec* duration, timespec* rest) {
  if (!is_controlled()) return real_nanosleep(duration, rest);
  const Deadline deadline = deadline_after(duration);
  if (deadline.error) {
    errno = deadline.error;
    return -1;
  }
  const std::uint64_t left = sleep_until(deadline.time, HEDDLE_CALL_PLACE);
  if (left == 0) return 0;
  if (rest != nullptr) *rest = as_timespec(left);
  errno = EINTR;
  return -1;
}

HEDDLE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* duration, timespec* rest) {
  if (!is_controlled()) return real_clock_nanosleep(clock, flags, duration, rest);
  const Deadline deadline = (flags & TIMER_ABSTIME) != 0 ? deadline_at(clock, duration) : deadline_after(duration);
  if (deadline.error) return deadline.error;
  const std::uint64_t left = sleep_until(deadline.time, HEDDLE_CALL_PLACE);
  if (left == 0) return 0;
  if (rest != nullptr && (flags & TIMER_ABSTIME) == 0) *rest = as_timespec(left);
  return EINTR;
}

HEDDLE_EXPORT int usleep(useconds_t microseconds) {
  if (!is_controlled()) return real_usleep(microseconds);
  if (sleep_until(front.scheduler().look_at_clock() + std::uint64_t{microseconds} * 1000, HEDDLE_CALL_PLACE) == 0)
    return 0;
  errno = EINTR;
  return -1;
}

HEDDLE_EXPORT unsigned sleep(unsigned seconds) {
  if (!is_controlled()) return real_sleep(seconds);
  const std::uint64_t left = sleep_until(front.scheduler().look_at_clock() + seconds * kSecond, HEDDLE_CALL_PLACE);
  return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

HEDDLE_EXPORT int sched_yield() noexcept {
  if (!is_controlled()) return real_sched_yield();
  watch.atomics().idle(EventKind::yield, HEDDLE_CALL_PLACE);
  return 0;
}

HEDDLE_ALIAS(__sched_yield, sched_yield);
HEDDLE_ALIAS(pthread_yield, sched_yield);
HEDDLE_ALIAS(__nanosleep, nanosleep);
HEDDLE_ALIAS(__gettimeofday, gettimeofday);
