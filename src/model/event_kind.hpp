// The kinds of events. They are shared by every way in: a pthread call, a C++ type, an operation of the C API and a
// program given as data in a test all speak of the same. What a kind is stands in model/event_table.hpp. Traces are
// written in the names of that table, so a kind may be added but never renamed.
#pragma once

#include <cstdint>

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
  exit,     // end the whole program, whatever the others do
  end,      // the last step of an operation, where the program can see when that is
  read_clock,  // virtual time
  try_join,
  kCount
};

}  // namespace heddle::model
