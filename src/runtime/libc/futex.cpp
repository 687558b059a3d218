// The futex system call, as libstdc++ and others make it through `syscall`: std::atomic::wait, std::latch,
// std::counting_semaphore, std::future, the guards of function-local statics.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdint>

#include "base/raw.hpp"
#include "runtime/front.hpp"
#include "runtime/kernel_calls/by_number.hpp"
#include "runtime/libc/futex.hpp"
#include "runtime/libc/futex_queue.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"
#include "runtime/tsan/order.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;

namespace heddle::runtime {

void touch_word(const std::uint32_t* word, model::Does does) {
  front.scheduler().touch_part({model::Part::Of::bytes, does, sizeof *word, reinterpret_cast<std::uintptr_t>(word)});
}

OperationId wake_one(ResourceId id, bool is_choice) {
  engine::Execution& execution = front.execution();
  engine::Scheduler& scheduler = execution.scheduler();
  const bool choose = is_choice && scheduler.settings().choose_waiter;
  const OperationId who = sleepers(id).at(scheduler.links(), choose ? execution.choose(sleepers(id).size()) : 0);
  sleepers(id).remove(scheduler.links(), who);
  scheduler.stand(who, event(EventKind::leave, id, scheduler.next(who).place));
  return who;
}

void move_sleeper(ResourceId from, ResourceId to, OperationId who) {
  engine::Scheduler& scheduler = front.scheduler();
  sleepers(from).remove(scheduler.links(), who);
  sleepers(to).push(scheduler.links(), who);
  scheduler.stand_blocked(who, event(EventKind::futex_sleep, to, scheduler.next(who).place), scheduler.deadline(who));
}

Deadline futex_deadline(const FutexCall& call) {
  return deadline_at((call.operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, call.timeout);
}

long sleep_at(ResourceId id, const Deadline& deadline, const void* place) {
  sleepers(id).push(front.scheduler().links(), front.self());
  const bool woken = front.execution().step_when_woken(event(EventKind::futex_sleep, id, place), deadline.time);
  const bool interrupted = taken_out_by_signal();
  if (woken && !interrupted) return 0;
  sleepers(front.scheduler().next(front.self()).resource).remove(front.scheduler().links(), front.self());
  return interrupted ? -EINTR : -ETIMEDOUT;
}

}  // namespace heddle::runtime

namespace {

long wait(const FutexCall& call, const Deadline& deadline, const void* place) {
  if (deadline.error) return -deadline.error;
  const ResourceId id = futex_resource(call.word);
  begin_wait_in_queue();
  front.execution().step(event(EventKind::futex_wait, id, place));
  uses(id);
  touch_word(call.word, model::Does::reads);
  if (*static_cast<volatile std::uint32_t*>(call.word) != call.value) return -EAGAIN;
  return sleep_at(id, deadline, place);
}

/// Which sleepers are woken is a choice, unless all of them are.
std::uint32_t wake(ResourceId id, std::uint32_t count) {
  std::uint32_t woken = 0;
  for (; woken < count && !sleepers(id).empty(); ++woken) wake_one(id, sleepers(id).size() > count - woken);
  return woken;
}

long requeue(const FutexCall& call, std::uint32_t wake_count, std::uint32_t move_count, const void* place) {
  const ResourceId from = futex_resource(call.word);
  const ResourceId to = futex_resource(call.second_word);
  front.execution().step(event(EventKind::futex_wake, from, place));
  uses(from);
  uses(to);
  touch_word(call.word, model::Does::reads);
  front.scheduler().touch(to, model::Does::writes);
  if ((call.operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE &&
      *static_cast<volatile std::uint32_t*>(call.word) != call.third_value)
    return -EAGAIN;
  long touched = wake(from, wake_count);
  for (std::uint32_t moved = 0; moved < move_count && !sleepers(from).empty(); ++moved, ++touched)
    move_sleeper(from, to, sleepers(from).front());
  return touched;
}

long make(const FutexCall& call, const void* place) {
  if (is_inheriting(call.operation & FUTEX_CMD_MASK)) return inheriting_futex(call, place);
  switch (call.operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:  // its timeout is a duration
      return wait(call, deadline_after(call.timeout), place);
    case FUTEX_WAIT_BITSET:
      return wait(call, futex_deadline(call), place);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: {
      const ResourceId id = futex_resource(call.word);
      front.execution().step(event(EventKind::futex_wake, id, place));
      uses(id);
      const std::uint32_t woken = wake(id, call.value);
      front.released(place);
      return woken;
    }
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
      return requeue(call, call.value, static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(call.timeout)),
                     place);
    default:
      return -ENOSYS;
  }
}

}  // namespace

long heddle::runtime::futex(const long* argument, const void* place) {
  return make({reinterpret_cast<std::uint32_t*>(argument[0]), static_cast<int>(argument[1]),
               static_cast<std::uint32_t>(argument[2]), reinterpret_cast<const timespec*>(argument[3]),
               reinterpret_cast<std::uint32_t*>(argument[4]), static_cast<std::uint32_t>(argument[5])},
              place);
}

HEDDLE_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long argument[6];
  for (long& value : argument) value = va_arg(list, long);
  va_end(list);
  long result;
  if (is_controlled() && number == SYS_futex)
    result = futex(argument, HEDDLE_PLACE);
  else if (!is_controlled() || !call_by_number(number, argument, result, HEDDLE_PLACE))
    result = raw::syscall6(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}
