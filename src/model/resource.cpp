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

void Resource::become(ResourceKind the_kind, const void* the_address) {
  kind = the_kind;
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
    case ResourceKind::futex:
    case ResourceKind::variable:
    case ResourceKind::signal:
    case ResourceKind::kCount:
      new (&queue) WaitQueue;
      break;
  }
}

}  // namespace heddle::model
