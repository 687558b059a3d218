#include "model/resource.hpp"

#include <array>
#include <cstddef>
#include <new>

namespace heddle::model {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(ResourceKind::kCount)> kNames = {
    "mutex", "spinlock",  "condition", "rwlock",   "semaphore", "barrier",
    "once",  "operation", "futex",     "variable", "resource"};

}  // namespace

std::string_view name(ResourceKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

ResourceKind resource_kind_named(std::string_view wanted) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == wanted) return static_cast<ResourceKind>(i);
  return ResourceKind::kCount;
}

Resource::Resource(ResourceKind the_kind, const void* the_address) : kind(the_kind), address(the_address), mutex() {
  switch (kind) {
    case ResourceKind::mutex:
    case ResourceKind::spin_lock:
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
    case ResourceKind::futex:
    case ResourceKind::variable:
    case ResourceKind::signal:
    case ResourceKind::kCount:
      new (&queue) WaitQueue;
      break;
  }
}

bool Resource::admits(OperationId self, EventKind event) const {
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
      return false;  // ended by another operation's step, or by a timeout
    default:
      return true;
  }
}

}  // namespace heddle::model
