// What an operation is about to do.
//
// The kinds are shared by every way in: a pthread call, a C++ type, an operation of the C API and a program given as
// data in a test all speak of the same events. Traces are written in these names (`name` and `kind_named`), so a kind
// may be added but never renamed.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/ids.hpp"

namespace heddle::model {

enum class EventKind : std::uint8_t {
  start,   // the first step of an operation
  create,  // make another operation
  join,    // wait for the end of one
  detach,
  cancel,  // ask another operation to end
  test_cancel,
  lock,  // take a mutex or a spin lock
  try_lock,
  timed_lock,
  unlock,
  relock,  // take the mutex again on the way out of a condition wait
  read_lock,
  try_read_lock,
  timed_read_lock,
  write_lock,
  try_write_lock,
  timed_write_lock,
  read_unlock,
  write_unlock,
  wait,  // release the mutex and begin to wait for a condition
  wake,  // stand in that wait: goes on by a signal, by its timeout, or for no reason
  signal,
  broadcast,
  acquire,  // semaphore
  try_acquire,
  timed_acquire,
  release,
  arrive,  // barrier: the step that counts
  leave,   // barrier: the step after the last one came
  once,
  futex_wait,
  futex_sleep,  // stand in that wait
  futex_wake,
  yield,
  sleep,
  read,  // memory, or an id of the C API
  write,
  choose,    // a data choice
  step,      // any other point that the program asked for
  wait_any,  // C API: until one of several resources is signalled
  wait_all,
  notify,            // C API: signal a resource, or one operation
  descriptor_read,   // read, receive, accept
  descriptor_write,  // write, send, connect
  descriptor_close,  // close, shut down, or put another in its place
  file_lock,         // of a file or a range of it: flock, fcntl, lockf
  file_unlock,
  poll,           // until one of several descriptors is ready: poll, select, epoll_wait
  send_signal,    // to this process or to one of its operations
  handle_signal,  // the step with which a handler begins in an operation that waited, or was about to do another step
  wait_signal,    // until a signal comes: sigwait, pause, sigsuspend
  set_signals,    // change a handler or a mask
  wait_child,     // for the end of a child process
  load,           // of an atomic object
  store,
  update,  // read, change and write it in one: exchange, fetch_add, compare_exchange
  fence,
  spin,     // stand in a loop that reads the same again and again, until another operation writes
  send,     // an event, to the inbox of a machine
  receive,  // stand before an inbox until it has an event that its machine takes; or, by the body, until all are idle
  kCount
};

std::string_view name(EventKind kind);
/// The kind with that name, or kCount.
EventKind kind_named(std::string_view name);

/// A hint that the operation cannot go on usefully now: it yielded, slept, or stands in a wait that can time out.
constexpr bool is_pause(EventKind kind) { return kind == EventKind::yield || kind == EventKind::sleep; }

/// What goes through the kernel. Two ends of a pipe or a connection are two descriptors, and one event may touch both.
constexpr bool is_of_descriptor(EventKind kind) {
  return kind >= EventKind::descriptor_read && kind <= EventKind::poll;
}

struct Event {
  EventKind kind = EventKind::step;
  ResourceId resource = kNoResource;
  const void* place = nullptr;  // an address in the program's code: where the call returns to
};

constexpr bool touches_nothing(EventKind kind) {
  switch (kind) {
    case EventKind::start:
    case EventKind::create:  // the new operation's own events come after it in any case
    case EventKind::yield:
    case EventKind::sleep:
    case EventKind::choose:
    case EventKind::test_cancel:
    case EventKind::fence:
      return true;
    default:
      return false;
  }
}

constexpr bool only_reads(EventKind kind) {
  return kind == EventKind::read || kind == EventKind::load || kind == EventKind::spin ||
         kind == EventKind::read_lock || kind == EventKind::try_read_lock;
}

/// Can the order of the two be observed? The one place that says so; partial-order strategies and reports ask here.
/// Errs on the side of yes.
constexpr bool dependent(const Event& a, const Event& b) {
  if (touches_nothing(a.kind) || touches_nothing(b.kind)) return false;
  if (a.resource == kNoResource || b.resource == kNoResource) return true;  // a plain step may touch anything
  if (is_of_descriptor(a.kind) && is_of_descriptor(b.kind)) return true;    // they may be two ends of one thing
  return a.resource == b.resource && !(only_reads(a.kind) && only_reads(b.kind));
}

}  // namespace heddle::model
