// poll and select. Without waiting, this is one step. Otherwise the operation stands until one of the descriptors is
// ready or, as with every timed wait, its time is up. The signal masks of ppoll and pselect are ignored.
#include <poll.h>
#include <sys/select.h>
#include <time.h>

#include <algorithm>
#include <cstring>

#include "runtime/front.hpp"
#include "runtime/io/kernel.hpp"
#include "runtime/io/transfer.hpp"
#include "runtime/io/waiting.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"

using namespace heddle;
using namespace heddle::runtime;
using namespace heddle::runtime::io;
using model::EventKind;

extern "C" int __poll_chk(pollfd* wanted, nfds_t count, int timeout, std::size_t room);
extern "C" int __ppoll_chk(pollfd* wanted, nfds_t count, const timespec* timeout, const sigset_t* mask,
                           std::size_t room);

HEDDLE_REAL(poll);
HEDDLE_REAL(ppoll);
HEDDLE_REAL(select);
HEDDLE_REAL(pselect);
HEDDLE_REAL(__poll_chk);
HEDDLE_REAL(__ppoll_chk);

namespace {

model::Event poll_event(const pollfd* wanted, std::size_t count, const void* place) {
  const bool one = count == 1 && wanted->fd >= 0;
  return {EventKind::poll, one ? resource_of(wanted->fd) : kNoResource, place};
}

constexpr nfds_t kPollMost = 1 << 20;  // more than a process can have open; the kernel refuses more

struct Timeout {
  Deadline deadline;
  bool none = false;  // does not wait at all
};

Timeout in_milliseconds(int timeout) {
  if (timeout < 0) return {};
  const timespec duration{timeout / 1000, timeout % 1000 * 1'000'000L};
  return {deadline_after(&duration), timeout == 0};
}

Timeout in_timespec(const timespec* timeout) {
  return {deadline_after(timeout), timeout != nullptr && timeout->tv_sec == 0 && timeout->tv_nsec == 0};
}

void sleep_until(std::uint64_t time, const void* place) {
  front.execution().step_when_woken(event(EventKind::sleep, kNoResource, place), time);
  if (taken_out_to_cancel()) act_on_cancel();
}

/// `call` asks the kernel without waiting, and passes its answer to the program.
template <typename Call>
long wait_and_call(Wanted wanted, const Timeout& timeout, const void* place, const Call& call) {
  if (timeout.deadline.error) return -timeout.deadline.error;
  const model::Event polls = poll_event(wanted.descriptors, wanted.count, place);
  if (timeout.none)
    return step_and_call(polls, [&] {
      touch_all(wanted, polls);
      return call();
    });
  act_on_cancel();
  if (wanted.count == 0) {
    sleep_until(timeout.deadline.time, place);
    return call();
  }
  for (;;) {
    const bool ready = waiting.stand(polls, wanted, timeout.deadline.time);
    const long result = call();
    if (result != 0 || !ready) return result;
  }
}

long controlled_poll(pollfd* wanted, nfds_t count, const Timeout& timeout, const void* place) {
  if (count > kPollMost) return -EINVAL;
  const auto number = static_cast<std::uint32_t>(count);
  const long ready = wait_and_call({wanted, number}, timeout, place, [&] { return poll_now(wanted, number); });
  if (ready > 0 && memory_is_watched)
    for (std::uint32_t i = 0; i < number; ++i)
      if (wanted[i].fd >= 0 && wanted[i].revents != 0) pass_knowledge(wanted[i].fd, Direction::in);
  return ready;
}

// --- select --------------------------------------------------------------------------------------------------------

constexpr int kSelectMost = 1 << 16;  // larger sets exist, but no program is known to use them
constexpr std::size_t kWordBits = 8 * sizeof(fd_mask);

/// The three sets of a select, any of which may be null.
struct Sets {
  int count;
  fd_set* set[3];  // to read, to write, exceptional condition
};
constexpr short kWish[3] = {POLLIN, POLLOUT, POLLPRI};

bool is_set(const fd_set* set, int descriptor) {
  if (set == nullptr) return false;
  const auto at = static_cast<std::size_t>(descriptor);
  return (reinterpret_cast<const fd_mask*>(set)[at / kWordBits] >> at % kWordBits & 1) != 0;
}

bool is_in_any(const Sets& sets, int descriptor) {
  return std::any_of(sets.set, sets.set + 3, [&](const fd_set* set) { return is_set(set, descriptor); });
}

std::uint32_t collect(const Sets& sets, pollfd* into) {
  std::uint32_t count = 0;
  for (int descriptor = 0; descriptor < sets.count; ++descriptor) {
    short wishes = 0;
    for (int i = 0; i < 3; ++i)
      if (is_set(sets.set[i], descriptor)) wishes = static_cast<short>(wishes | kWish[i]);
    if (wishes != 0) into[count++] = {descriptor, wishes, 0};
  }
  return count;
}

std::size_t bytes_of(const Sets& sets) {
  return (static_cast<std::size_t>(sets.count) + kWordBits - 1) / kWordBits * sizeof(fd_mask);
}

/// The kernel overwrites the question with its answer, and the question may have to be asked again.
long select_now(const Sets& sets, const char* question) {
  const std::size_t bytes = bytes_of(sets);
  for (int i = 0; i < 3; ++i)
    if (sets.set[i] != nullptr) std::memcpy(sets.set[i], question + static_cast<std::size_t>(i) * bytes, bytes);
  const timespec now{};
  return kernel_to_the_end(SYS_pselect6, sets.count, sets.set[0], sets.set[1], sets.set[2], &now, nullptr);
}

long controlled_select(Sets sets, const Timeout& timeout, const void* place) {
  if (sets.count < 0) return -EINVAL;
  sets.count = std::min(sets.count, kSelectMost);
  const std::size_t bytes = bytes_of(sets);
  auto* const question = static_cast<char*>(__builtin_alloca(3 * bytes + 1));
  for (std::size_t i = 0; i < 3; ++i)
    if (sets.set[i] != nullptr) std::memcpy(question + i * bytes, sets.set[i], bytes);
  auto* const wanted =
      static_cast<pollfd*>(__builtin_alloca((static_cast<std::size_t>(sets.count) + 1) * sizeof(pollfd)));
  const std::uint32_t count = collect(sets, wanted);
  const long ready = wait_and_call({wanted, count, true}, timeout, place, [&] { return select_now(sets, question); });
  if (ready > 0 && memory_is_watched)
    for (std::uint32_t i = 0; i < count; ++i)
      if (is_in_any(sets, wanted[i].fd)) pass_knowledge(wanted[i].fd, Direction::in);
  return ready;
}

/// Linux returns the remaining time.
timeval rest_of(const Deadline& deadline) {
  const std::uint64_t now = front.scheduler().look_at_clock();
  const std::uint64_t us = deadline.time > now ? (deadline.time - now) / 1'000 : 0;
  return {static_cast<time_t>(us / 1'000'000), static_cast<suseconds_t>(us % 1'000'000)};
}

}  // namespace

HEDDLE_EXPORT int poll(pollfd* wanted, nfds_t count, int timeout) {
  if (!is_controlled()) return real_poll(wanted, count, timeout);
  return static_cast<int>(answer(controlled_poll(wanted, count, in_milliseconds(timeout), HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int __poll_chk(pollfd* wanted, nfds_t count, int timeout, std::size_t room) {
  if (!is_controlled() || room / sizeof(pollfd) < count) return real___poll_chk(wanted, count, timeout, room);
  return static_cast<int>(answer(controlled_poll(wanted, count, in_milliseconds(timeout), HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int ppoll(pollfd* wanted, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  if (!is_controlled()) return real_ppoll(wanted, count, timeout, mask);
  return static_cast<int>(answer(controlled_poll(wanted, count, in_timespec(timeout), HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int __ppoll_chk(pollfd* wanted, nfds_t count, const timespec* timeout, const sigset_t* mask,
                              std::size_t room) {
  if (!is_controlled() || room / sizeof(pollfd) < count) return real___ppoll_chk(wanted, count, timeout, mask, room);
  return static_cast<int>(answer(controlled_poll(wanted, count, in_timespec(timeout), HEDDLE_CALL_PLACE)));
}

HEDDLE_EXPORT int select(int count, fd_set* __restrict read, fd_set* __restrict write, fd_set* __restrict special,
                         timeval* __restrict timeout) {
  if (!is_controlled()) return real_select(count, read, write, special, timeout);
  timespec duration{};
  if (timeout != nullptr) duration = {timeout->tv_sec, timeout->tv_usec * 1'000};
  const Timeout until = in_timespec(timeout != nullptr ? &duration : nullptr);
  const long result = controlled_select({count, {read, write, special}}, until, HEDDLE_CALL_PLACE);
  if (timeout != nullptr && result >= 0) *timeout = rest_of(until.deadline);
  return static_cast<int>(answer(result));
}

HEDDLE_EXPORT int pselect(int count, fd_set* __restrict read, fd_set* __restrict write, fd_set* __restrict special,
                          const timespec* __restrict timeout, const sigset_t* __restrict mask) {
  if (!is_controlled()) return real_pselect(count, read, write, special, timeout, mask);
  return static_cast<int>(
      answer(controlled_select({count, {read, write, special}}, in_timespec(timeout), HEDDLE_CALL_PLACE)));
}

HEDDLE_ALIAS(__poll, poll);
HEDDLE_ALIAS(__select, select);
