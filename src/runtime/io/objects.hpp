// The objects behind descriptors: a pipe, a pair or a connection with both its ends, an eventfd, a timer, an epoll, a
// file.
//
// An object has a number (model/descriptor.hpp), assigned in the order in which an execution makes objects. Two steps
// that make objects are dependent, so schedules that differ only in independent steps give the same numbers. A step
// touches the object behind its descriptor and every epoll that watches that object, because an epoll hands out ready
// descriptors in the order in which they became ready. A write into an object, or into one that an epoll watches,
// orders the memory accesses before it and those after the data is read (runtime/tsan/order.hpp).
//
// An epoll is assumed to watch everything that it ever watched. Nothing is known about objects from outside: kAny.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "model/descriptor.hpp"
#include "model/event_table.hpp"

namespace heddle::runtime::io {

class Objects {
 public:
  /// Forgets the objects of the last execution.
  void begin();

  std::uint32_t add();
  /// A file has one object, however often it was opened.
  std::uint32_t of_file(dev_t device, ino_t inode);
  /// From now on, changes to the object can make that epoll ready.
  void watch(std::uint32_t epoll, std::uint32_t object);

  /// A connection to the listener, which may be unknown, that a later `accept` takes: the object of the connecting end.
  void queue(std::uint32_t listener, std::uint32_t connection);
  /// The connection that has waited longest; kAny: none is known.
  std::uint32_t unqueue(std::uint32_t listener);

  /// Adds the effect of the running step on the object. For steps whose footprint is wanted.
  void touch(std::uint32_t object, model::Does does) { touch(object, does, 0); }

  /// Sets the descriptor that represents the object in the order of accesses: the first one given.
  void set_sync(std::uint32_t object, ResourceId descriptor) {
    if (objects_[object].sync == kNoResource) objects_[object].sync = descriptor;
  }
  // If memory is watched: an operation that reads from the object learns what the operations knew that wrote to it, or
  // to an unknown object.
  void release(std::uint32_t object);
  void acquire(std::uint32_t object);

 private:
  struct Object {
    ResourceId sync = kNoResource;
    std::uint32_t watchers = 0;  // index + 1 in watchers_; 0: none
  };
  struct Watcher {
    std::uint32_t epoll;
    std::uint32_t next;  // index + 1
  };
  struct File {
    dev_t device;
    ino_t inode;
    std::uint32_t object;
  };
  struct Queued {
    std::uint32_t listener;
    std::uint32_t connection;
  };

  void touch(std::uint32_t object, model::Does does, int depth);
  void release(std::uint32_t object, int depth);

  PageVector<Object> objects_;  // indexed by number; entries before the first number are not used
  PageVector<Watcher> watchers_;
  PageVector<File> files_;
  PageVector<Queued> queued_;     // unix connections not accepted yet; of each listener, the oldest first
  bool has_lost_queued_ = false;  // unknown connections may lie between these
};

extern Objects objects;

}  // namespace heddle::runtime::io
