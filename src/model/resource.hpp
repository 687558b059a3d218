// Anything that an operation can wait for: a primitive, with the operations that are at one of its events.
//
// `admits` is the whole definition of "enabled": an operation at an event is enabled exactly while the event's resource
// admits it. A column of model/event_table.hpp says what an event needs from its resource. Each primitive says whether
// it can provide that. No other code in heddle has to know the kind of primitive to ask which operations a resource
// admits, which one is in the way, which hold it or wait for it, and what state it is in.
#pragma once

#include <cstdint>
#include <new>

#include "base/ids.hpp"
#include "model/barrier.hpp"
#include "model/condition.hpp"
#include "model/descriptor.hpp"
#include "model/event.hpp"
#include "model/lifetime.hpp"
#include "model/mutex.hpp"
#include "model/once.hpp"
#include "model/read_write_lock.hpp"
#include "model/resource_kind.hpp"
#include "model/semaphore.hpp"
#include "model/wait_queue.hpp"

namespace heddle::model {

struct Resource {
  ResourceKind kind;
  bool gone = false;                    // its object was destroyed or reinitialised
  bool looked_at = false;               // an operation asks whether it is taken, in place of waiting for it
  std::uint16_t crowd = 0;              // the scheduler's, of many operations at an event of it; 0: none
  OperationId standing = kNoOperation;  // first operation at an event of it; the scheduler links the rest
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
  /// The only operation whose step can make the resource admit this event; kNoOperation: none, or more than one.
  OperationId in_the_way(EventKind event) const;
  /// One of the holders, for reports: the owner, a reader, the operation that runs it, or the one whose end it is.
  OperationId some_holder() const;
  /// The operations in a wait there; null: this kind of resource has no queue.
  const WaitQueue* waiters() const;
  /// The state as one number. States that the program can tell apart have different numbers.
  std::uint64_t state(WaitLinks& links) const;
};

inline void Resource::become(ResourceKind the_kind, const void* the_address) {
  kind = the_kind;
  gone = false;
  looked_at = false;
  crowd = 0;
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

// Inline because every scheduling point calls it. Where the kind of event is known, the switch disappears.
// Most waits are for a mutex or for an end: two comparisons are predicted, the jump of the switch is not.
[[gnu::always_inline]] inline bool Resource::admits(OperationId self, EventKind event) const {
  const Needs what = needs(event);
  if (what == Needs::the_mutex) [[likely]]
    return mutex.admits_lock(self);
  if (what == Needs::the_end) return lifetime.admits_join();
  switch (what) {
    case Needs::a_share:
      return read_write_lock.admits_read(self);
    case Needs::the_whole_lock:
      return read_write_lock.admits_write(self);
    case Needs::a_unit:
      return semaphore.admits_acquire();
    case Needs::the_flag:
      return once.admits();
    case Needs::a_wake:
      return false;
    case Needs::the_mutex:
    case Needs::the_end:
    case Needs::nothing:
      break;
  }
  return true;
}

// Inline because every operation that begins to wait calls it.
inline OperationId Resource::in_the_way(EventKind event) const {
  switch (needs(event)) {
    case Needs::the_mutex:
      return mutex.owner();
    case Needs::a_share:
      return read_write_lock.writer();
    case Needs::the_whole_lock:
      return read_write_lock.holder();
    case Needs::the_flag:
      return once.runner();
    case Needs::the_end:
      return lifetime.of();
    case Needs::a_unit:
    case Needs::a_wake:
    case Needs::nothing:
      break;
  }
  return kNoOperation;
}

}  // namespace heddle::model
