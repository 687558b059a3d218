#include "runtime/io/transfer.hpp"

#include <sys/time.h>

namespace heddle::runtime::io {
namespace {

constexpr std::uint64_t kGraceNs = 100'000'000;

short wish(Direction direction) { return direction == Direction::in ? POLLIN : POLLOUT; }

/// SO_RCVTIMEO or SO_SNDTIMEO, in virtual time.
std::uint64_t deadline_of_socket(int descriptor, Direction direction) {
  timeval timeout{};
  socklen_t size = sizeof timeout;
  const int option = direction == Direction::in ? SO_RCVTIMEO : SO_SNDTIMEO;
  if (kernel(SYS_getsockopt, descriptor, SOL_SOCKET, option, &timeout, &size) != 0) return engine::kNever;
  const auto us = static_cast<std::uint64_t>(timeout.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(timeout.tv_usec);
  return us == 0 ? engine::kNever : front.scheduler().now() + us * 1'000;
}

bool is_ready(int descriptor, Direction direction) {
  pollfd wanted{descriptor, wish(direction), 0};
  return poll_now(&wanted, 1) != 0;
}

bool stand(int descriptor, Direction direction, std::uint64_t deadline, const void* place) {
  pollfd wanted{descriptor, wish(direction), 0};
  return waiting.stand(event_of(direction, descriptor, place), {&wanted, 1}, deadline);
}

/// How fast the world beyond the standard descriptors is must not decide which schedules there are. So a step there is
/// always enabled, and the world is given a moment in which everybody stands still; only after that, others go on.
void wait_for_world(int descriptor, Direction direction, const void* place) {
  pollfd wanted{descriptor, wish(direction), 0};
  if (poll_for(&wanted, 1, kGraceNs) == 0) stand(descriptor, direction, engine::kNever, place);
}

}  // namespace

bool stand_until_ready(int descriptor, Direction direction, const void* place) {
  const Descriptor& what = descriptors.of(descriptor);
  if (what.standard) {
    front.execution().step(event_of(direction, descriptor, place));
    wait_for_world(descriptor, direction, place);
    return true;
  }
  std::uint64_t deadline = engine::kNever;
  if (what.nature == Nature::socket && !is_ready(descriptor, direction))
    deadline = deadline_of_socket(descriptor, direction);
  return stand(descriptor, direction, deadline, place);
}

bool stay_until_ready(int descriptor, Direction direction, const void* place) {
  if (is_ready(descriptor, direction)) return true;
  waiting.look_again();
  if (!descriptors.of(descriptor).standard) return stand_until_ready(descriptor, direction, place);
  wait_for_world(descriptor, direction, place);
  return true;
}

}  // namespace heddle::runtime::io
