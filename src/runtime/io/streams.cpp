// read and write, on every kind of descriptor.
//
// A write larger than the room in a pipe is made in pieces of PIPE_BUF, each after the kernel has said that there is
// room. As in the kernel, other writers get in between only where the pipe is full.
#include <limits.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

#include "base/own_descriptors.hpp"
#include "runtime/front.hpp"
#include "runtime/io/descriptors.hpp"
#include "runtime/io/gather.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/transfer.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using namespace heddle::runtime::io;

extern "C" ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room);

HEDDLE_REAL(read);
HEDDLE_REAL(write);
HEDDLE_REAL(readv);
HEDDLE_REAL(writev);
HEDDLE_REAL(__read_chk);
HEDDLE_REAL(eventfd_read);
HEDDLE_REAL(eventfd_write);

namespace {

long controlled_read(int descriptor, void* buffer, std::size_t size, const void* place) {
  const auto call = [&](int number) { return kernel(SYS_read, number, buffer, size); };
  if (size == 0 || descriptors.passes_straight(descriptor)) return call(descriptor);
  return transfer(descriptor, Direction::in, place, call);
}

long controlled_readv(int descriptor, const iovec* parts, int count, const void* place) {
  const auto call = [&](int number) { return kernel(SYS_readv, number, parts, count); };
  if (descriptors.passes_straight(descriptor)) return call(descriptor);
  return transfer(descriptor, Direction::in, place, call);
}

long controlled_writev(int descriptor, const iovec* parts, int count, const void* place) {
  if (own_descriptors.has(descriptor)) return -EBADF;
  const auto call = [&](int number) { return kernel(SYS_writev, number, parts, count); };
  if (descriptors.passes_straight(descriptor)) return call(descriptor);
  const Nature nature = descriptors.of(descriptor).nature;
  const bool in_parts = nature == Nature::socket || (nature == Nature::pipe && total_size(parts, count) > PIPE_BUF);
  if (!in_parts || is_nonblocking(descriptor)) return transfer(descriptor, Direction::out, place, call);
  if (nature == Nature::socket) return send_gathered(descriptor, parts, count, 0, place);
  return write_in_pieces(descriptor, parts, count, place);
}

long controlled_write(int descriptor, const void* bytes, std::size_t size, const void* place) {
  const iovec part{const_cast<void*>(bytes), size};
  return controlled_writev(descriptor, &part, 1, place);
}

}  // namespace

HEDDLE_EXPORT ssize_t read(int descriptor, void* buffer, std::size_t size) {
  if (!is_controlled()) return real_read(descriptor, buffer, size);
  return answer(controlled_read(descriptor, buffer, size, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room) {
  if (!is_controlled() || size > room) return real___read_chk(descriptor, buffer, size, room);
  return answer(controlled_read(descriptor, buffer, size, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  if (!is_controlled()) return real_readv(descriptor, parts, count);
  return answer(controlled_readv(descriptor, parts, count, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t write(int descriptor, const void* bytes, std::size_t size) {
  if (!is_controlled()) return real_write(descriptor, bytes, size);
  return answer(controlled_write(descriptor, bytes, size, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (!is_controlled()) return real_writev(descriptor, parts, count);
  return answer(controlled_writev(descriptor, parts, count, HEDDLE_CALL_PLACE));
}

HEDDLE_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  if (!is_controlled()) return real_eventfd_read(descriptor, value);
  return answer(controlled_read(descriptor, value, sizeof *value, HEDDLE_CALL_PLACE)) == sizeof *value ? 0 : -1;
}

HEDDLE_EXPORT int eventfd_write(int descriptor, eventfd_t value) {
  if (!is_controlled()) return real_eventfd_write(descriptor, value);
  return answer(controlled_write(descriptor, &value, sizeof value, HEDDLE_CALL_PLACE)) == sizeof value ? 0 : -1;
}

HEDDLE_ALIAS(__read, read);
HEDDLE_ALIAS(__write, write);
