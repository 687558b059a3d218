// The kinds of events. Every front end uses the same kinds: a pthread call, a C++ type, an operation of the C API, and
// a program given as data in a test. model/event_table.hpp defines what each kind means. Traces store the names from
// that table, so a kind may be added but never renamed.
#pragma once

#include <cstdint>

namespace heddle::model {

enum class EventKind : std::uint8_t {
  start,   // the first step of an operation
  create,  // create another operation
  join,    // wait for an operation to end
  detach,
  cancel,  // ask another operation to end
  test_cancel,
  lock,  // take a mutex or a spin lock
  try_lock,
  timed_lock,
  unlock,
  relock,  // retake the mutex at the end of a condition wait
  read_lock,
  try_read_lock,
  timed_read_lock,
  write_lock,
  try_write_lock,
  timed_write_lock,
  read_unlock,
  write_unlock,
  wait,  // release the mutex and begin to wait for a condition
  wake,  // be in that wait: ended by a signal, by a timeout, or spuriously
  signal,
  broadcast,
  acquire,  // semaphore
  try_acquire,
  timed_acquire,
  release,
  arrive,  // barrier: the step that is counted
  leave,   // barrier: the step after the last party arrived
  once,
  futex_wait,
  futex_sleep,  // be in that wait
  futex_wake,
  yield,
  sleep,
  read,  // memory, or an id of the C API
  write,
  choose,    // a data choice
  step,      // any other scheduling point that the program asked for
  wait_any,  // C API: until one of several resources is signalled
  wait_all,
  notify,            // C API: signal a resource, or one operation
  descriptor_read,   // read, receive, accept
  descriptor_write,  // write, send, connect
  descriptor_close,  // close, shut down, or replace by another
  file_lock,         // lock a file or a range of it: flock, fcntl, lockf
  file_unlock,
  poll,           // wait until one of several descriptors is ready: poll, select, epoll_wait
  send_signal,    // to this process or to one of its operations
  handle_signal,  // the step with which a handler begins, in an operation that was waiting or about to take another
                  // step
  wait_signal,    // wait until a signal arrives: sigwait, pause, sigsuspend
  set_signals,    // change a handler or a mask
  wait_child,     // wait for a child process to end
  load,           // of an atomic object
  store,
  update,  // read-modify-write in one step: exchange, fetch_add, compare_exchange
  fence,
  spin,     // be in a loop that keeps reading the same value, until another operation writes
  send,     // send an event to the inbox of a machine
  receive,  // wait until an inbox has an event that its machine accepts; in the test body: until all machines are idle
  exit,     // end the whole program, whatever the other operations do
  end,      // the last step of an operation, where the program can observe when that is
  read_clock,  // virtual time
  try_join,
  destroy,  // a mutex, a condition or the like
  go_on,    // with what comes after a release, in a program whose accesses are not seen
  kCount
};

}  // namespace heddle::model
