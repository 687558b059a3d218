// A call on one descriptor, as a step of its operation: what read, write, recv, send, accept and their like share.
//
// A descriptor that is set not to block: one step, whatever comes of it. Else the operation stands until the kernel
// would let it go on, and then makes the call, which therefore does not block the thread that carries all operations.
#pragma once

#include <sys/socket.h>

#include "model/event.hpp"
#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/timers.hpp"
#include "runtime/io/waiting.hpp"
#include "runtime/tsan/order.hpp"

namespace heddle::runtime::io {

enum class Direction { in, out };

inline ResourceId resource_of(int descriptor) {
  const ResourceId id = front.resource(reinterpret_cast<const void*>(static_cast<std::intptr_t>(descriptor)),
                                       model::ResourceKind::descriptor, [](model::Resource&) {});
  front.at(id).descriptor.object = descriptors.of(descriptor).object;
  return id;
}

inline model::Event event_of(Direction direction, int descriptor, const void* place) {
  return {direction == Direction::in ? model::EventKind::descriptor_read : model::EventKind::descriptor_write,
          resource_of(descriptor), place};
}

/// The descriptor of one call. If another operation closes it meanwhile, the call may be inside the kernel already, and
/// then has a number of its own for what was open there.
class Hold {
 public:
  explicit Hold(int descriptor) : wanted_{descriptor, 0, 0}, asked_(descriptor) {}

  int number() const { return wanted_.fd; }
  pollfd& wanted() { return wanted_; }
  /// The call is over.
  void release() {
    if (number() != asked_) give_back(number());
  }

 private:
  static void give_back(int number);

  pollfd wanted_;
  int asked_;
};

/// Stands until the descriptor is ready in that direction. False: the timeout of the socket came first.
bool stand_until_ready(Hold& hold, Direction direction, const void* place);
/// The same in the middle of a call that has begun: if it is ready there is no step.
bool stay_until_ready(Hold& hold, Direction direction, const void* place);

/// One step, then the call, which must not block.
template <typename Call>
long step_and_call(model::Event event, const Call& call) {
  act_on_cancel();
  front.execution().step(event);
  timers.fire(front.scheduler().look_at_clock());
  const long result = call();
  waiting.look_again();
  return result;
}

/// The call when the descriptor is ready; again, should it still say that it would block.
template <typename Call>
long call_when_ready(Hold& hold, Direction direction, const void* place, const Call& call) {
  for (;;) {
    if (!stand_until_ready(hold, direction, place)) return -EAGAIN;
    const long result = call(hold.number());
    if (result != -EAGAIN) return result;
    // Somebody outside was faster, or the kernel cannot say when (a datagram to a full queue).
    front.execution().step(event(model::EventKind::yield, kNoResource, place));
  }
}

template <typename Call>
long call_when_ready(int descriptor, Direction direction, const void* place, const Call& call) {
  act_on_cancel();
  Hold hold(descriptor);
  const long result = call_when_ready(hold, direction, place, call);
  hold.release();
  waiting.look_again();
  return result;
}

/// Whoever reads may have got it from anybody who wrote before.
inline void pass_knowledge(Direction direction) {
  if (!memory_is_watched) [[likely]]
    return;
  if (direction == Direction::out)
    memory_order.release(front.self(), kOutsideSync);
  else
    memory_order.acquire(front.self(), kOutsideSync);
}

template <typename Call>
long transfer_unwatched(int descriptor, Direction direction, const void* place, const Call& call) {
  if (is_nonblocking(descriptor))
    return step_and_call(event_of(direction, descriptor, place), [&] { return call(descriptor); });
  return call_when_ready(descriptor, direction, place, call);
}

template <typename Call>
long transfer(int descriptor, Direction direction, const void* place, const Call& call) {
  if (direction == Direction::out) pass_knowledge(direction);
  const long result = transfer_unwatched(descriptor, direction, place, call);
  if (direction == Direction::in) pass_knowledge(direction);
  return result;
}

}  // namespace heddle::runtime::io
