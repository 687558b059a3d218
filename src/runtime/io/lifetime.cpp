// Creates, copies and closes descriptors: pipe, socketpair, eventfd, dup and close.
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/own_descriptors.hpp"
#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/timers.hpp"
#include "runtime/io/transfer.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using namespace heddle::runtime::io;
using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(pipe);
HEDDLE_REAL(pipe2);
HEDDLE_REAL(socketpair);
HEDDLE_REAL(eventfd);
HEDDLE_REAL(dup);
HEDDLE_REAL(dup2);
HEDDLE_REAL(dup3);
HEDDLE_REAL(close);
HEDDLE_REAL(shutdown);

namespace {

void made_both(const int* ends, Nature nature) {
  descriptors.made(ends[0], nature, true);
  descriptors.made_of(ends[1], nature, true, descriptors.of(ends[0]).object);
}

model::Event close_event(int descriptor, const void* place) {
  return {EventKind::descriptor_close, resource_of(descriptor), place};
}

/// The number has no meaning any more.
void forget(int descriptor) {
  if (const std::uint32_t timer = descriptors.of(descriptor).timer; timer != 0)
    timers.closed(timer, descriptors.other_of_timer(timer, descriptor));
  timers.stop_watching(descriptor, 0);
  descriptors.closed(descriptor);
  front.forget(reinterpret_cast<const void*>(static_cast<std::intptr_t>(descriptor)), ResourceKind::descriptor);
}

/// An operation that sees the close has learned what was done before it.
void step_to_close(int descriptor, const void* place) {
  const model::Event closes = close_event(descriptor, place);
  front.execution().step(closes);
  touch_objects(closes);
  if (descriptors.of(descriptor).listens) touch_object(model::Descriptor::kAny, model::Does::writes);
  pass_knowledge(descriptor, Direction::out);
  waiting.before_close(descriptor);
}

long controlled_close(int descriptor, const void* place) {
  if (own_descriptors.has(descriptor)) return -EBADF;  // as without heddle
  const bool straight = descriptors.passes_straight(descriptor) && !descriptors.of(descriptor).locked;
  if (!straight) {
    step_to_close(descriptor, place);
  }
  forget(descriptor);  // even after an error: the kernel closes it in any case
  const long result = kernel(SYS_close, descriptor);
  if (!straight) waiting.look_again();
  return result;
}

long copied(int from, long to) {
  if (to >= 0) descriptors.copied(from, static_cast<int>(to));
  return to;
}

long replace(int from, int to, int flags, const void* place) {
  if (own_descriptors.has(from) || own_descriptors.has(to)) return -EBADF;
  if (kernel(SYS_fcntl, from, F_GETFD, 0L) < 0) return -EBADF;
  if (!descriptors.passes_straight(to)) {
    step_to_close(to, place);
  }
  const long result = kernel(SYS_dup3, from, to, flags);
  if (result < 0) return result;
  forget(to);
  copied(from, to);
  waiting.look_again();
  return result;
}

}  // namespace

HEDDLE_EXPORT int pipe(int* ends) noexcept {
  if (!is_controlled()) return real_pipe(ends);
  return pipe2(ends, 0);
}

HEDDLE_EXPORT int pipe2(int* ends, int flags) noexcept {
  if (!is_controlled()) return real_pipe2(ends, flags);
  const long result = kernel(SYS_pipe2, ends, flags);
  if (result == 0) made_both(ends, Nature::pipe);
  return static_cast<int>(answer(result));
}

HEDDLE_EXPORT int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  if (!is_controlled()) return real_socketpair(domain, type, protocol, ends);
  const long result = kernel(SYS_socketpair, domain, type, protocol, ends);
  if (result == 0) made_both(ends, Nature::socket);
  return static_cast<int>(answer(result));
}

HEDDLE_EXPORT int eventfd(unsigned value, int flags) noexcept {
  if (!is_controlled()) return real_eventfd(value, flags);
  const long result = kernel(SYS_eventfd2, value, flags);
  if (result >= 0) descriptors.made(static_cast<int>(result), Nature::other, true);
  return static_cast<int>(answer(result));
}

HEDDLE_EXPORT int dup(int descriptor) noexcept {
  if (!is_controlled()) return real_dup(descriptor);
  return static_cast<int>(answer(copied(descriptor, kernel(SYS_dup, descriptor))));
}

HEDDLE_EXPORT int dup2(int from, int to) noexcept {
  if (!is_controlled() || from == to) return real_dup2(from, to);
  return static_cast<int>(answer(replace(from, to, 0, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int dup3(int from, int to, int flags) noexcept {
  if (!is_controlled() || from == to) return real_dup3(from, to, flags);
  return static_cast<int>(answer(replace(from, to, flags, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int close(int descriptor) {
  if (!is_controlled()) return real_close(descriptor);
  return static_cast<int>(answer(controlled_close(descriptor, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int shutdown(int descriptor, int how) noexcept {
  if (!is_controlled()) return real_shutdown(descriptor, how);
  return static_cast<int>(
      answer(step_and_call({EventKind::descriptor_close, resource_of(descriptor), HEDDLE_CALL_PLACE}, [&] {
        pass_knowledge(descriptor, Direction::out);
        return kernel(SYS_shutdown, descriptor, how);
      })));
}

HEDDLE_ALIAS(__close, close);
HEDDLE_ALIAS(__dup2, dup2);
HEDDLE_ALIAS(__pipe, pipe);
