// What the plain and the priority-inheriting operations of futexes share.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "model/wait_queue.hpp"
#include "runtime/front.hpp"
#include "runtime/libc/virtual_time.hpp"

namespace heddle::runtime {

struct FutexCall {
  std::uint32_t* word;
  int operation;
  std::uint32_t value;
  const timespec* timeout;  // or a second count, for the requeue operations
  std::uint32_t* second_word;
  std::uint32_t third_value;
};

inline ResourceId futex_resource(const std::uint32_t* word) {
  return front.resource(word, model::ResourceKind::futex, [](model::Resource&) {});
}
inline model::WaitQueue& sleepers(ResourceId id) { return front.at(id).queue; }

/// The step reads or writes the program's word.
void touch_word(const std::uint32_t* word, model::Does does);
/// One of those that sleep there goes on. Which one is a choice, if `is_choice`.
OperationId wake_one(ResourceId id, bool is_choice);
/// One that sleeps at `from` sleeps at `to` from now on.
void move_sleeper(ResourceId from, ResourceId to, OperationId who);
/// The absolute deadline of a wait on the clock that the operation names.
Deadline futex_deadline(const FutexCall& call);
/// The caller sleeps there until it is woken. Returns 0, or minus ETIMEDOUT or EINTR.
long sleep_at(ResourceId id, const Deadline& deadline, const void* place);

// libc/futex_inheriting.cpp
bool is_inheriting(int command);
long inheriting_futex(const FutexCall& call, const void* place);

}  // namespace heddle::runtime
