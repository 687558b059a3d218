// How long the program has computed, and where: it appears to compute all the time, on one processor.
#include <sched.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"

using namespace heddle::runtime;

HEDDLE_REAL(clock);
HEDDLE_REAL(times);
HEDDLE_REAL(getrusage);
HEDDLE_REAL(sched_getcpu);
HEDDLE_REAL(getcpu);
HEDDLE_REAL(timespec_get);

HEDDLE_EXPORT clock_t clock() noexcept {
  if (!is_controlled()) return real_clock();
  const timespec used = read_clock(CLOCK_PROCESS_CPUTIME_ID, HEDDLE_CALL_PLACE);
  return used.tv_sec * CLOCKS_PER_SEC + used.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC);
}

HEDDLE_EXPORT clock_t times(tms* result) noexcept {
  if (!is_controlled()) return real_times(result);
  constexpr long kTick = 10'000'000;  // ns: 100 ticks a second
  const timespec used = read_clock(CLOCK_PROCESS_CPUTIME_ID, HEDDLE_CALL_PLACE);
  const clock_t ticks = used.tv_sec * 100 + used.tv_nsec / kTick;
  if (result != nullptr) *result = {ticks, 0, 0, 0};
  return read_clock(CLOCK_MONOTONIC, HEDDLE_CALL_PLACE).tv_sec * 100 + ticks % 100;
}

HEDDLE_EXPORT int getrusage(__rusage_who_t who, rusage* result) noexcept {
  if (!is_controlled()) return real_getrusage(who, result);
  *result = {};
  const timespec used = read_clock(CLOCK_PROCESS_CPUTIME_ID, HEDDLE_CALL_PLACE);
  result->ru_utime = {used.tv_sec, used.tv_nsec / 1000};
  return 0;
}

HEDDLE_EXPORT int sched_getcpu() noexcept { return is_controlled() ? 0 : real_sched_getcpu(); }

HEDDLE_EXPORT int getcpu(unsigned* processor, unsigned* node) noexcept {
  if (!is_controlled()) return real_getcpu(processor, node);
  if (processor != nullptr) *processor = 0;
  if (node != nullptr) *node = 0;
  return 0;
}

HEDDLE_EXPORT int timespec_get(timespec* result, int base) noexcept {
  if (!is_controlled() || base != TIME_UTC) return real_timespec_get(result, base);
  *result = read_clock(CLOCK_REALTIME, HEDDLE_CALL_PLACE);
  return base;
}
