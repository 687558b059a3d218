// A call on one descriptor as a step of its operation: shared by read, write, recv, send, accept and the like.
//
// On a non-blocking descriptor, the call is one step, whatever the result. Otherwise the operation stands until the
// kernel would let it go on, and then makes the call. The call therefore does not block the thread that carries all
// operations.
#pragma once

#include <sys/socket.h>

#include "model/event.hpp"
#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/objects.hpp"
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

/// The data that is read may come from any operation that wrote before.
inline void pass_knowledge(int descriptor, Direction direction) {
  if (!memory_is_watched) [[likely]]
    return;
  const std::uint32_t object = descriptors.of(descriptor).object;
  objects.set_sync(object, resource_of(descriptor));
  if (direction == Direction::out)
    objects.release(object);
  else
    objects.acquire(object);
}

/// The descriptor of one call. If another operation closes it meanwhile, the call may already be inside the kernel;
/// then it has its own number for the open object.
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
/// The same in the middle of a call that has begun: no step if the descriptor is ready.
bool stay_until_ready(Hold& hold, Direction direction, const void* place);

/// One step, then the call, which must not block.
template <typename Call>
long step_and_call(model::Event event, const Call& call) {
  act_on_cancel();
  front.execution().step(event);
  touch_objects(event);
  timers.fire(front.scheduler().look_at_clock());
  const long result = call();
  waiting.look_again();
  return result;
}

/// Makes the call when the descriptor is ready; repeats this if the call still says that it would block.
template <typename Call>
long call_when_ready(Hold& hold, Direction direction, const void* place, const Call& call) {
  for (;;) {
    if (!stand_until_ready(hold, direction, place)) return -EAGAIN;
    const long result = call(hold.number());
    if (result != -EAGAIN) return result;
    // Something outside was faster, or the kernel cannot say when (a datagram to a full queue).
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

/// Makes the call, and records the order between writers and readers.
template <typename Call>
long call_and_pass_knowledge(int number, Direction direction, const Call& call) {
  if (direction == Direction::out) pass_knowledge(number, direction);
  const long result = call(number);
  if (direction == Direction::in && result >= 0) pass_knowledge(number, direction);
  return result;
}

template <typename Call>
long transfer_unwatched(int descriptor, Direction direction, const void* place, const Call& call) {
  if (is_nonblocking(descriptor))
    return step_and_call(event_of(direction, descriptor, place), [&] { return call(descriptor); });
  return call_when_ready(descriptor, direction, place, call);
}

template <typename Call>
long transfer(int descriptor, Direction direction, const void* place, const Call& call) {
  return transfer_unwatched(descriptor, direction, place,
                            [&](int number) { return call_and_pass_knowledge(number, direction, call); });
}

}  // namespace heddle::runtime::io
