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
#include "runtime/libc/virtual_time.hpp"
#include "runtime/process/by_number.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"
#include "runtime/tsan/order.hpp"

using namespace heddle;
using namespace heddle::runtime;
using model::EventKind;
using model::ResourceKind;

namespace {

struct Call {
  std::uint32_t* word;
  int operation;
  std::uint32_t value;
  const timespec* timeout;  // or a second count, for the requeue operations
  std::uint32_t* second_word;
  std::uint32_t third_value;
};

ResourceId futex_resource(const std::uint32_t* word) {
  return front.resource(word, ResourceKind::futex, [](model::Resource&) {});
}

/// The step looks at what the program has there.
void touch_word(const std::uint32_t* word) {
  front.scheduler().touch_part(
      {model::Part::Of::bytes, model::Does::reads, sizeof *word, reinterpret_cast<std::uintptr_t>(word)});
}

model::WaitQueue& sleepers(ResourceId id) { return front.at(id).queue; }

long wait(const Call& call, const Deadline& deadline, const void* place) {
  if (deadline.error) return -deadline.error;
  engine::Execution& execution = front.execution();
  const ResourceId id = futex_resource(call.word);
  begin_wait_in_queue();
  execution.step(event(EventKind::futex_wait, id, place));
  uses(id);
  touch_word(call.word);
  if (*static_cast<volatile std::uint32_t*>(call.word) != call.value) return -EAGAIN;
  sleepers(id).push(front.scheduler().links(), front.self());
  const bool woken = execution.step_when_woken(event(EventKind::futex_sleep, id, place), deadline.time);
  const bool interrupted = taken_out_by_signal();
  if (woken && !interrupted) return 0;
  sleepers(front.scheduler().next(front.self()).resource).remove(front.scheduler().links(), front.self());
  return interrupted ? -EINTR : -ETIMEDOUT;
}

/// Which sleepers are woken is a choice, when not all of them are.
std::uint32_t wake(ResourceId id, std::uint32_t count) {
  engine::Execution& execution = front.execution();
  engine::Scheduler& scheduler = execution.scheduler();
  std::uint32_t woken = 0;
  while (woken < count && !sleepers(id).empty()) {
    const std::uint32_t size = sleepers(id).size();
    const bool choose = size > count - woken && scheduler.settings().choose_waiter;
    const OperationId who = sleepers(id).at(scheduler.links(), choose ? execution.choose(size) : 0);
    sleepers(id).remove(scheduler.links(), who);
    scheduler.stand(who, event(EventKind::leave, id, scheduler.next(who).place));
    ++woken;
  }
  return woken;
}

long requeue(const Call& call, std::uint32_t wake_count, std::uint32_t move_count, const void* place) {
  const ResourceId from = futex_resource(call.word);
  const ResourceId to = futex_resource(call.second_word);
  front.execution().step(event(EventKind::futex_wake, from, place));
  uses(from);
  uses(to);
  touch_word(call.word);
  front.scheduler().touch(to, model::Does::writes);
  if ((call.operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE &&
      *static_cast<volatile std::uint32_t*>(call.word) != call.third_value)
    return -EAGAIN;
  long touched = wake(from, wake_count);
  engine::Scheduler& scheduler = front.scheduler();
  for (std::uint32_t moved = 0; moved < move_count && !sleepers(from).empty(); ++moved, ++touched) {
    const OperationId who = sleepers(from).front();
    sleepers(from).remove(scheduler.links(), who);
    sleepers(to).push(scheduler.links(), who);
    scheduler.stand_blocked(who, event(EventKind::futex_sleep, to, scheduler.next(who).place), scheduler.deadline(who));
  }
  return touched;
}

long futex(const Call& call, const void* place) {
  switch (call.operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:  // its timeout is a duration
      return wait(call, deadline_after(call.timeout), place);
    case FUTEX_WAIT_BITSET:
      return wait(
          call,
          deadline_at((call.operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC, call.timeout),
          place);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: {
      const ResourceId id = futex_resource(call.word);
      front.execution().step(event(EventKind::futex_wake, id, place));
      uses(id);
      return wake(id, call.value);
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

HEDDLE_EXPORT long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long argument[6];
  for (long& value : argument) value = va_arg(list, long);
  va_end(list);
  long result;
  if (!is_controlled()) {
    result = raw::syscall6(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  } else if (number == SYS_futex) {
    result = futex({reinterpret_cast<std::uint32_t*>(argument[0]), static_cast<int>(argument[1]),
                    static_cast<std::uint32_t>(argument[2]), reinterpret_cast<const timespec*>(argument[3]),
                    reinterpret_cast<std::uint32_t*>(argument[4]), static_cast<std::uint32_t>(argument[5])},
                   HEDDLE_PLACE);
  } else if (!call_by_number(number, argument, result, HEDDLE_PLACE)) {
    result = raw::syscall6(number, argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  }
  if (result >= 0 || result < -4095) return result;
  errno = static_cast<int>(-result);
  return -1;
}
