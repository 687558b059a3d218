// Sockets: making, connecting, accepting, and sending and receiving messages.
//
// Every call is made with MSG_DONTWAIT, and only after the kernel has said that it would not block. So no call blocks.
#include <sys/socket.h>
#include <time.h>

#include "runtime/front.hpp"
#include "runtime/io/connections.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/gather.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/transfer.hpp"
#include "runtime/kernel_calls/uncontrolled.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using namespace heddle::runtime::io;

extern "C" ssize_t __recv_chk(int descriptor, void* buffer, std::size_t size, std::size_t room, int flags);
extern "C" ssize_t __recvfrom_chk(int descriptor, void* buffer, std::size_t size, std::size_t room, int flags,
                                  sockaddr* from, socklen_t* from_size);

HEDDLE_REAL(socket);
HEDDLE_REAL(bind);
HEDDLE_REAL(listen);
HEDDLE_REAL(accept);
HEDDLE_REAL(accept4);
HEDDLE_REAL(connect);
HEDDLE_REAL(recv);
HEDDLE_REAL(recvfrom);
HEDDLE_REAL(recvmsg);
HEDDLE_REAL(recvmmsg);
HEDDLE_REAL(send);
HEDDLE_REAL(sendto);
HEDDLE_REAL(sendmsg);
HEDDLE_REAL(sendmmsg);
HEDDLE_REAL(__recv_chk);
HEDDLE_REAL(__recvfrom_chk);

namespace {

/// True if the call never waits, whatever the mode of the socket.
bool is_impatient(int descriptor, int flags) {
  constexpr int kNeverWait = MSG_DONTWAIT | MSG_OOB | MSG_ERRQUEUE;
  return (flags & kNeverWait) != 0 || is_nonblocking(descriptor);
}

// --- connections ---------------------------------------------------------------------------------------------------

long controlled_accept(int descriptor, sockaddr* address, socklen_t* size, int flags, const void* place) {
  const long made = transfer(descriptor, Direction::in, place,
                             [&](int number) { return kernel(SYS_accept4, number, address, size, flags); });
  if (made >= 0 && !accepted(descriptor, static_cast<int>(made)))
    note_uncontrolled(UncontrolledKind::outside, "accepts a connection of another process", place);
  return made;
}

bool has_begun(long result) { return result == 0 || result == -EINPROGRESS; }

/// The flag is restored before any other code can see it.
long connect_without_waiting(int descriptor, const sockaddr* address, socklen_t size) {
  const long flags = kernel(SYS_fcntl, descriptor, F_GETFL, 0L);
  if (flags < 0) return flags;
  kernel(SYS_fcntl, descriptor, F_SETFL, flags | O_NONBLOCK);
  const long result = kernel(SYS_connect, descriptor, address, size);
  kernel(SYS_fcntl, descriptor, F_SETFL, flags);
  return result;
}

long error_of(int descriptor) {
  int error = 0;
  socklen_t size = sizeof error;
  kernel(SYS_getsockopt, descriptor, SOL_SOCKET, SO_ERROR, &error, &size);
  return -error;
}

long controlled_connect(int descriptor, const sockaddr* address, socklen_t size, const void* place) {
  const model::Event connects = event_of(Direction::out, descriptor, place);
  const auto begin = [&] {
    const int listener = listener_at(address, size);
    connects_to(listener);
    const long result = connect_without_waiting(descriptor, address, size);
    if (has_begun(result)) connected_to(listener, descriptor, address);
    if (has_begun(result) && listener < 0)
      note_uncontrolled(UncontrolledKind::outside, "connects to another process", place);
    return result;
  };
  if (is_nonblocking(descriptor)) return step_and_call(connects, begin);
  long result = step_and_call(connects, begin);
  while (result == -EAGAIN) {  // a unix socket's backlog is full, and nothing tells when that ends
    front.execution().step(event(model::EventKind::yield, kNoResource, place));
    result = begin();
    waiting.look_again();
  }
  if (result != -EINPROGRESS) return result;  // on the loopback it is already done: nothing to wait for
  Hold hold(descriptor);
  const bool in_time = stay_until_ready(hold, Direction::out, place);
  result = in_time ? error_of(hold.number()) : -EINPROGRESS;
  hold.release();
  waiting.look_again();
  return result;
}

// --- receiving -----------------------------------------------------------------------------------------------------

template <typename Call>
long receive(int descriptor, int flags, const void* place, const Call& call) {
  const auto learn = [&](int number) { return call_and_pass_knowledge(number, Direction::in, call); };
  if (is_impatient(descriptor, flags))
    return step_and_call(event_of(Direction::in, descriptor, place), [&] { return learn(descriptor); });
  return call_when_ready(descriptor, Direction::in, place, learn);
}

long receive_once(int descriptor, char* buffer, std::size_t size, int flags, sockaddr* from, socklen_t* from_size,
                  const void* place) {
  return receive(descriptor, flags, place, [&](int number) {
    return kernel(SYS_recvfrom, number, buffer, size, flags | MSG_DONTWAIT, from, from_size);
  });
}

long controlled_receive(int descriptor, void* buffer, std::size_t size, int flags, sockaddr* from, socklen_t* from_size,
                        const void* place) {
  auto* const bytes = static_cast<char*>(buffer);
  const bool waits_for_all = (flags & MSG_WAITALL) != 0 && (flags & MSG_PEEK) == 0 && !is_impatient(descriptor, flags);
  const long first = receive_once(descriptor, bytes, size, flags, from, from_size, place);
  if (!waits_for_all || first <= 0) return first;
  auto done = static_cast<std::size_t>(first);
  while (done < size) {
    const long more = receive_once(descriptor, bytes + done, size - done, flags, nullptr, nullptr, place);
    if (more <= 0) break;
    done += static_cast<std::size_t>(more);
  }
  return static_cast<long>(done);
}

long controlled_receive_message(int descriptor, msghdr* message, int flags, const void* place) {
  const msghdr asked = *message;  // the kernel writes into it even if there is no message
  return receive(descriptor, flags, place, [&](int number) {
    *message = asked;
    return kernel(SYS_recvmsg, number, message, flags | MSG_DONTWAIT);
  });
}

long controlled_receive_many(int descriptor, mmsghdr* messages, unsigned count, int flags, const timespec* timeout,
                             const void* place) {
  const Deadline deadline = deadline_after(timeout);
  if (deadline.error) return -deadline.error;
  const bool one_is_enough = (flags & MSG_WAITFORONE) != 0 || is_impatient(descriptor, flags);
  unsigned done = 0;
  do {
    const long some = receive(descriptor, flags, place, [&](int number) {
      return kernel(SYS_recvmmsg, number, messages + done, count - done, flags | MSG_DONTWAIT, nullptr);
    });
    if (some <= 0) return done > 0 ? static_cast<long>(done) : some;
    done += static_cast<unsigned>(some);
  } while (done < count && !one_is_enough && front.scheduler().look_at_clock() < deadline.time);
  return done;
}

// --- sending -------------------------------------------------------------------------------------------------------

long controlled_send_message(int descriptor, const msghdr* message, int flags, const void* place) {
  if (!is_impatient(descriptor, flags)) return send_message(descriptor, *message, flags, place);
  return step_and_call(event_of(Direction::out, descriptor, place), [&] {
    pass_knowledge(descriptor, Direction::out);
    return kernel(SYS_sendmsg, descriptor, message, flags);
  });
}

long controlled_send(int descriptor, const void* bytes, std::size_t size, int flags, const sockaddr* to,
                     socklen_t to_size, const void* place) {
  iovec part{const_cast<void*>(bytes), size};
  msghdr message{};
  message.msg_name = const_cast<sockaddr*>(to);
  message.msg_namelen = to_size;
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  return controlled_send_message(descriptor, &message, flags, place);
}

long controlled_send_many(int descriptor, mmsghdr* messages, unsigned count, int flags, const void* place) {
  for (unsigned done = 0; done < count; ++done) {
    const long sent = controlled_send_message(descriptor, &messages[done].msg_hdr, flags, place);
    if (sent < 0) return done > 0 ? static_cast<long>(done) : sent;
    messages[done].msg_len = static_cast<unsigned>(sent);
  }
  return count;
}

}  // namespace

HEDDLE_EXPORT int socket(int domain, int type, int protocol) noexcept {
  if (!is_controlled()) return real_socket(domain, type, protocol);
  const long made = kernel(SYS_socket, domain, type, protocol);
  if (made >= 0) made_socket(static_cast<int>(made), domain, type);
  return static_cast<int>(answer(made));
}

// Another operation can see whether the address is free, and whether a socket listens there.
HEDDLE_EXPORT int bind(int descriptor, const sockaddr* address, socklen_t size) noexcept {
  if (!is_controlled()) return real_bind(descriptor, address, size);
  return static_cast<int>(answer(step_and_call(event_of(Direction::out, descriptor, HEDDLE_CALL_PLACE), [&] {
    touch_object(model::Descriptor::kAny, model::Does::writes);
    return kernel(SYS_bind, descriptor, address, size);
  })));
}

HEDDLE_EXPORT int listen(int descriptor, int most) noexcept {
  if (!is_controlled()) return real_listen(descriptor, most);
  return static_cast<int>(answer(step_and_call(event_of(Direction::out, descriptor, HEDDLE_CALL_PLACE), [&] {
    touch_object(model::Descriptor::kAny, model::Does::writes);
    const long result = kernel(SYS_listen, descriptor, most);
    if (result == 0) descriptors.listens(descriptor);
    return result;
  })));
}

HEDDLE_EXPORT int accept(int descriptor, sockaddr* __restrict address, socklen_t* __restrict size) {
  if (!is_controlled()) return real_accept(descriptor, address, size);
  return static_cast<int>(answer(controlled_accept(descriptor, address, size, 0, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int accept4(int descriptor, sockaddr* __restrict address, socklen_t* __restrict size, int flags) {
  if (!is_controlled()) return real_accept4(descriptor, address, size, flags);
  return static_cast<int>(answer(controlled_accept(descriptor, address, size, flags, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int connect(int descriptor, const sockaddr* address, socklen_t size) {
  if (!is_controlled()) return real_connect(descriptor, address, size);
  return static_cast<int>(answer(controlled_connect(descriptor, address, size, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT ssize_t recv(int descriptor, void* buffer, std::size_t size, int flags) {
  if (!is_controlled()) return real_recv(descriptor, buffer, size, flags);
  return answer(controlled_receive(descriptor, buffer, size, flags, nullptr, nullptr, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t __recv_chk(int descriptor, void* buffer, std::size_t size, std::size_t room, int flags) {
  if (!is_controlled() || size > room) return real___recv_chk(descriptor, buffer, size, room, flags);
  return answer(controlled_receive(descriptor, buffer, size, flags, nullptr, nullptr, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t recvfrom(int descriptor, void* __restrict buffer, std::size_t size, int flags,
                               sockaddr* __restrict from, socklen_t* __restrict from_size) {
  if (!is_controlled()) return real_recvfrom(descriptor, buffer, size, flags, from, from_size);
  return answer(controlled_receive(descriptor, buffer, size, flags, from, from_size, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t __recvfrom_chk(int descriptor, void* buffer, std::size_t size, std::size_t room, int flags,
                                     sockaddr* from, socklen_t* from_size) {
  if (!is_controlled() || size > room)
    return real___recvfrom_chk(descriptor, buffer, size, room, flags, from, from_size);
  return answer(controlled_receive(descriptor, buffer, size, flags, from, from_size, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t recvmsg(int descriptor, msghdr* message, int flags) {
  if (!is_controlled()) return real_recvmsg(descriptor, message, flags);
  return answer(controlled_receive_message(descriptor, message, flags, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int recvmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags, timespec* timeout) {
  if (!is_controlled()) return real_recvmmsg(descriptor, messages, count, flags, timeout);
  return static_cast<int>(
      answer(controlled_receive_many(descriptor, messages, count, flags, timeout, HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT ssize_t send(int descriptor, const void* bytes, std::size_t size, int flags) {
  if (!is_controlled()) return real_send(descriptor, bytes, size, flags);
  return answer(controlled_send(descriptor, bytes, size, flags, nullptr, 0, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t sendto(int descriptor, const void* bytes, std::size_t size, int flags, const sockaddr* to,
                             socklen_t to_size) {
  if (!is_controlled()) return real_sendto(descriptor, bytes, size, flags, to, to_size);
  return answer(controlled_send(descriptor, bytes, size, flags, to, to_size, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
  if (!is_controlled()) return real_sendmsg(descriptor, message, flags);
  return answer(controlled_send_message(descriptor, message, flags, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int sendmmsg(int descriptor, mmsghdr* messages, unsigned count, int flags) {
  if (!is_controlled()) return real_sendmmsg(descriptor, messages, count, flags);
  return static_cast<int>(answer(controlled_send_many(descriptor, messages, count, flags, HEDDLE_CALL_PLACE)));
}

HEDDLE_ALIAS(__connect, connect);
HEDDLE_ALIAS(__send, send);
