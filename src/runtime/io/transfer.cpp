#include "runtime/io/transfer.hpp"

#include <sys/time.h>

namespace heddle::runtime::io {
namespace {

short wish(Direction direction) { return direction == Direction::in ? POLLIN : POLLOUT; }

/// SO_RCVTIMEO or SO_SNDTIMEO, in virtual time.
std::uint64_t deadline_of_socket(int descriptor, Direction direction) {
  timeval timeout{};
  socklen_t size = sizeof timeout;
  const int option = direction == Direction::in ? SO_RCVTIMEO : SO_SNDTIMEO;
  if (kernel(SYS_getsockopt, descriptor, SOL_SOCKET, option, &timeout, &size) != 0) return engine::kNever;
  const auto us = static_cast<std::uint64_t>(timeout.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(timeout.tv_usec);
  return us == 0 ? engine::kNever : front.scheduler().look_at_clock() + us * 1'000;
}

bool is_ready(int descriptor, Direction direction) {
  pollfd wanted{descriptor, wish(direction), 0};
  return poll_now(&wanted, 1) != 0;
}

bool stand(Hold& hold, Direction direction, std::uint64_t deadline, const void* place) {
  hold.wanted().events = wish(direction);
  return waiting.stand(event_of(direction, hold.number(), place), {&hold.wanted(), 1, false, true}, deadline);
}

/// The speed of the world beyond the standard descriptors must not decide which schedules exist. So a step there is
/// always enabled, and the world is given a moment in which all operations stand still; only after that, others go on.
void wait_for_world(Hold& hold, Direction direction, const void* place) {
  pollfd wanted{hold.number(), wish(direction), 0};
  if (poll_for(&wanted, 1, kMomentNs) == 0) stand(hold, direction, engine::kNever, place);
}

}  // namespace

void Hold::give_back(int number) {
  descriptors.closed(number);
  kernel(SYS_close, number);
}

bool stand_until_ready(Hold& hold, Direction direction, const void* place) {
  const Descriptor& what = descriptors.of(hold.number());
  if (what.standard) {
    const model::Event transfers = event_of(direction, hold.number(), place);
    front.execution().step(transfers);
    touch_objects(transfers);
    wait_for_world(hold, direction, place);
    return true;
  }
  std::uint64_t deadline = engine::kNever;
  if (what.nature == Nature::socket && !is_ready(hold.number(), direction))
    deadline = deadline_of_socket(hold.number(), direction);
  return stand(hold, direction, deadline, place);
}

bool stay_until_ready(Hold& hold, Direction direction, const void* place) {
  if (is_ready(hold.number(), direction)) return true;
  waiting.look_again();
  if (!descriptors.of(hold.number()).standard) return stand_until_ready(hold, direction, place);
  wait_for_world(hold, direction, place);
  return true;
}

}  // namespace heddle::runtime::io
