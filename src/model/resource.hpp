// Anything that an operation can wait for: one of the primitives, with the operations that stand before it.
//
// `admits` is the whole meaning of "enabled": an operation that stands at an event is enabled exactly while the
// event's resource admits it. Events that are not listed there are always admitted.
#pragma once

#include <cstdint>
#include <new>
#include <string_view>

#include "base/ids.hpp"
#include "model/barrier.hpp"
#include "model/condition.hpp"
#include "model/descriptor.hpp"
#include "model/event.hpp"
#include "model/lifetime.hpp"
#include "model/mutex.hpp"
#include "model/once.hpp"
#include "model/read_write_lock.hpp"
#include "model/semaphore.hpp"
#include "model/wait_queue.hpp"

namespace heddle::model {

enum class ResourceKind : std::uint8_t {
  mutex,
  spin_lock,
  condition,
  read_write_lock,
  semaphore,
  barrier,
  once,
  operation,  // the end of another operation
  futex,
  variable,    // a memory location, or an id of the C API that is read or written
  signal,      // a resource of the C API: waited for until somebody signals it
  descriptor,  // its address is its number
  signals,     // handlers, masks and pending signals of the process
  children,    // the child processes
  inbox,       // of a machine: the events sent to it; of a runtime: that its machines are idle
  kCount
};

std::string_view name(ResourceKind kind);
/// The kind with that name, or kCount.
ResourceKind resource_kind_named(std::string_view name);

struct Resource {
  ResourceKind kind;
  bool gone = false;                    // its object was destroyed, or made anew
  OperationId standing = kNoOperation;  // first of those who stand at an event of it; the scheduler links the rest
  const void* address = nullptr;        // its identity in the program
  union {
    Mutex mutex;
    Condition condition;
    ReadWriteLock read_write_lock;
    Semaphore semaphore;
    Barrier barrier;
    Once once;
    Lifetime lifetime;
    WaitQueue queue;  // futex
    Descriptor descriptor;
  };

  Resource() : kind(ResourceKind::variable), queue() {}
  Resource(ResourceKind the_kind, const void* the_address) { become(the_kind, the_address); }
  void become(ResourceKind kind, const void* address);

  bool admits(OperationId self, EventKind event) const;
};

inline void Resource::become(ResourceKind the_kind, const void* the_address) {
  kind = the_kind;
  gone = false;
  standing = kNoOperation;
  address = the_address;
  switch (kind) {
    case ResourceKind::mutex:
    case ResourceKind::spin_lock:
      new (&mutex) Mutex;
      break;
    case ResourceKind::condition:
      new (&condition) Condition;
      break;
    case ResourceKind::read_write_lock:
      new (&read_write_lock) ReadWriteLock;
      break;
    case ResourceKind::semaphore:
      new (&semaphore) Semaphore;
      break;
    case ResourceKind::barrier:
      new (&barrier) Barrier;
      break;
    case ResourceKind::once:
      new (&once) Once;
      break;
    case ResourceKind::operation:
      new (&lifetime) Lifetime;
      break;
    case ResourceKind::descriptor:
      new (&descriptor) Descriptor;
      break;
    case ResourceKind::futex:
    case ResourceKind::variable:
    case ResourceKind::signal:
    case ResourceKind::signals:
    case ResourceKind::children:
    case ResourceKind::inbox:
    case ResourceKind::kCount:
      new (&queue) WaitQueue;
      break;
  }
}

// Inline, because every scheduling point asks it.
inline bool Resource::admits(OperationId self, EventKind event) const {
  switch (event) {
    case EventKind::lock:
    case EventKind::relock:
    case EventKind::timed_lock:
      return mutex.admits_lock(self);
    case EventKind::read_lock:
    case EventKind::timed_read_lock:
      return read_write_lock.admits_read(self);
    case EventKind::write_lock:
    case EventKind::timed_write_lock:
      return read_write_lock.admits_write(self);
    case EventKind::acquire:
    case EventKind::timed_acquire:
      return semaphore.admits_acquire();
    case EventKind::once:
      return once.admits();
    case EventKind::join:
      return lifetime.admits_join();
    case EventKind::wake:
    case EventKind::futex_sleep:
    case EventKind::sleep:
    case EventKind::wait_any:
    case EventKind::wait_all:
    case EventKind::wait_signal:
      return false;  // ended by another operation's step, or by a timeout
    default:
      return true;
  }
}

}  // namespace heddle::model
