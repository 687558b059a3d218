// Futexes that hand over a lock (FUTEX_LOCK_PI and its relatives): the kernel keeps the id of the owner in the word.
//
// Priorities do not matter here, since the strategy decides which operation runs. What remains is a lock with an owner:
// it is given to a waiter when its owner unlocks it, and which waiter gets it is a choice.
#include <linux/futex.h>

#include <cerrno>

#include "runtime/libc/futex_queue.hpp"
#include "runtime/process/identity.hpp"
#include "runtime/signals/signals.hpp"
#include "runtime/tsan/order.hpp"

#ifndef FUTEX_LOCK_PI2
#define FUTEX_LOCK_PI2 13
#endif

namespace heddle::runtime {
namespace {

using model::Does;
using model::EventKind;

volatile std::uint32_t& value_of(std::uint32_t* word) { return *static_cast<volatile std::uint32_t*>(word); }

std::uint32_t owner_in(std::uint32_t value) { return value & FUTEX_TID_MASK; }

std::uint32_t id_of(OperationId who) { return static_cast<std::uint32_t>(thread_id_of(who)); }

/// Gives the free lock to that operation.
void give(std::uint32_t* word, OperationId who) { value_of(word) = (value_of(word) & FUTEX_OWNER_DIED) | id_of(who); }

long lock(const FutexCall& call, const Deadline& deadline, bool waits, const void* place) {
  if (deadline.error) return -deadline.error;
  const ResourceId id = futex_resource(call.word);
  if (waits) begin_wait_in_queue();
  front.execution().step(event(EventKind::futex_wait, id, place));
  for (;;) {
    uses(id);
    touch_word(call.word, Does::writes);
    const std::uint32_t owner = owner_in(value_of(call.word));
    if (owner == 0) {
      give(call.word, front.self());
      return 0;
    }
    if (owner == id_of(front.self())) return -EDEADLK;
    if (!waits) return -EAGAIN;
    const OperationId holder = operation_of(static_cast<pid_t>(owner));
    if (holder == kNoOperation || front.scheduler().has_ended(holder)) return -ESRCH;
    value_of(call.word) = value_of(call.word) | FUTEX_WAITERS;
    const long result = sleep_at(id, deadline, place);
    uses(id);
    if (result != -EINTR) return result;  // after a handler the kernel goes on
  }
}

long unlock(const FutexCall& call, const void* place) {
  const ResourceId id = futex_resource(call.word);
  front.execution().step(event(EventKind::futex_wake, id, place));
  uses(id);
  touch_word(call.word, Does::writes);
  if (owner_in(value_of(call.word)) != id_of(front.self())) return -EPERM;
  value_of(call.word) = 0;
  if (sleepers(id).empty()) return 0;
  give(call.word, wake_one(id, sleepers(id).size() > 1));
  if (!sleepers(id).empty()) value_of(call.word) = value_of(call.word) | FUTEX_WAITERS;
  return 0;
}

/// Waits to be moved to the lock at the second word, and returns with the lock.
long wait_for_requeue(const FutexCall& call, const void* place) {
  const Deadline deadline = futex_deadline(call);
  if (deadline.error) return -deadline.error;
  const ResourceId id = futex_resource(call.word);
  begin_wait_in_queue();
  front.execution().step(event(EventKind::futex_wait, id, place));
  uses(id);
  touch_word(call.word, Does::reads);
  if (value_of(call.word) != call.value) return -EAGAIN;
  const long result = sleep_at(id, deadline, place);
  uses(futex_resource(call.second_word));
  return result == -EINTR ? -EAGAIN : result;
}

long requeue(const FutexCall& call, const void* place) {
  const ResourceId from = futex_resource(call.word);
  const ResourceId to = futex_resource(call.second_word);
  const auto move_count = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(call.timeout));
  front.execution().step(event(EventKind::futex_wake, from, place));
  uses(from);
  uses(to);
  touch_word(call.word, Does::reads);
  touch_word(call.second_word, Does::writes);
  front.scheduler().touch(to, Does::writes);
  if (call.value != 1) return -EINVAL;
  if (value_of(call.word) != call.third_value) return -EAGAIN;
  long touched = 0;
  for (; touched < 1 + static_cast<long>(move_count) && !sleepers(from).empty(); ++touched) {
    if (owner_in(value_of(call.second_word)) == 0) {
      give(call.second_word, wake_one(from, sleepers(from).size() > 1));
    } else {
      move_sleeper(from, to, sleepers(from).front());
      value_of(call.second_word) = value_of(call.second_word) | FUTEX_WAITERS;
    }
  }
  return touched;
}

}  // namespace

bool is_inheriting(int command) {
  return command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2 || command == FUTEX_TRYLOCK_PI ||
         command == FUTEX_UNLOCK_PI || command == FUTEX_WAIT_REQUEUE_PI || command == FUTEX_CMP_REQUEUE_PI;
}

long inheriting_futex(const FutexCall& call, const void* place) {
  switch (call.operation & FUTEX_CMD_MASK) {
    case FUTEX_LOCK_PI:
      return lock(call, deadline_at(CLOCK_REALTIME, call.timeout), true, place);
    case FUTEX_LOCK_PI2:
      return lock(call, futex_deadline(call), true, place);
    case FUTEX_TRYLOCK_PI:
      return lock(call, {}, false, place);
    case FUTEX_UNLOCK_PI:
      return unlock(call, place);
    case FUTEX_WAIT_REQUEUE_PI:
      return wait_for_requeue(call, place);
    default:
      return requeue(call, place);
  }
}

}  // namespace heddle::runtime
