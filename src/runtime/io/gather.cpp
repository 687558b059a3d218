#include "runtime/io/gather.hpp"

#include <limits.h>

#include <algorithm>

#include "runtime/io/transfer.hpp"

namespace heddle::runtime::io {
namespace {

/// The data still to be written.
class Rest {
 public:
  Rest(const iovec* parts, std::size_t count) : part_(parts), end_(parts + count) { skip_empty(); }

  bool empty() const { return part_ == end_; }
  const void* bytes() const { return static_cast<const char*>(part_->iov_base) + offset_; }
  std::size_t size() const { return part_->iov_len - offset_; }  // of the contiguous part
  void take(std::size_t count) {
    while (count > 0 && !empty()) {
      const std::size_t now = std::min(count, size());
      offset_ += now;
      count -= now;
      skip_empty();
    }
  }

 private:
  void skip_empty() {
    for (; part_ != end_ && offset_ == part_->iov_len; ++part_) offset_ = 0;
  }

  const iovec* part_;
  const iovec* end_;
  std::size_t offset_ = 0;
};

/// Continues after `done` bytes were written. `put` writes some bytes without blocking.
template <typename Put>
long put_rest(Hold& hold, Rest rest, long done, const void* place, const Put& put) {
  while (!rest.empty()) {
    const bool begins = done == 0;
    if (!(begins ? stand_until_ready : stay_until_ready)(hold, Direction::out, place)) break;  // it timed out
    pass_knowledge(hold.number(), Direction::out);
    const long result = put(rest.bytes(), rest.size());
    if (result == -EAGAIN) {
      front.execution().step(event(model::EventKind::yield, kNoResource, place));
      continue;
    }
    if (result < 0) return done > 0 ? done : result;
    done += result;
    rest.take(static_cast<std::size_t>(result));
  }
  return done > 0 ? done : -EAGAIN;
}

}  // namespace

std::size_t total_size(const iovec* parts, std::size_t count) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; ++i) total += parts[i].iov_len;
  return total;
}

long write_in_pieces(int descriptor, const iovec* parts, std::size_t count, const void* place) {
  act_on_cancel();
  Hold hold(descriptor);
  const auto put = [&](const void* bytes, std::size_t size) {
    return kernel(SYS_write, hold.number(), bytes, std::min<std::size_t>(size, PIPE_BUF));
  };
  const long written = put_rest(hold, Rest(parts, count), 0, place, put);
  hold.release();
  waiting.look_again();
  return written;
}

long send_message(int descriptor, const msghdr& message, int flags, const void* place) {
  act_on_cancel();
  Hold hold(descriptor);
  long sent = call_when_ready(hold, Direction::out, place, [&](int number) {
    pass_knowledge(number, Direction::out);
    return kernel(SYS_sendmsg, number, &message, flags | MSG_DONTWAIT);
  });
  if (sent > 0 && static_cast<std::size_t>(sent) < total_size(message.msg_iov, message.msg_iovlen)) {
    Rest rest(message.msg_iov, message.msg_iovlen);  // the stream accepted only a part
    rest.take(static_cast<std::size_t>(sent));
    sent = put_rest(hold, rest, sent, place, [&](const void* bytes, std::size_t size) {
      return kernel(SYS_sendto, hold.number(), bytes, size, flags | MSG_DONTWAIT, nullptr, 0L);
    });
  }
  hold.release();
  waiting.look_again();
  return sent;
}

long send_gathered(int descriptor, const iovec* parts, std::size_t count, int flags, const void* place) {
  msghdr message{};
  message.msg_iov = const_cast<iovec*>(parts);
  message.msg_iovlen = count;
  return send_message(descriptor, message, flags, place);
}

}  // namespace heddle::runtime::io
