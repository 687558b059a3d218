#include "model/resource.hpp"

#include <cstddef>

#include "base/hash.hpp"

namespace heddle::model {
namespace {

std::uint64_t hash_of_queue(const WaitQueue& queue, WaitLinks& links) {
  std::uint64_t hash = mix(queue.size());
  OperationId id = queue.front();
  for (std::uint32_t i = 0; i < queue.size(); ++i, id = links[id].next) hash = combine(hash, index(id));
  return hash;
}

}  // namespace

ResourceKind resource_kind_named(std::string_view wanted) {
  for (std::size_t i = 0; i < kResourceTable.size(); ++i)
    if (kResourceTable[i].name == wanted) return static_cast<ResourceKind>(i);
  return ResourceKind::kCount;
}

OperationId Resource::some_holder() const {
  switch (kind) {
    case ResourceKind::mutex:
    case ResourceKind::spin_lock:
      return mutex.owner();
    case ResourceKind::read_write_lock:
      return read_write_lock.some_holder();
    case ResourceKind::once:
      return once.runner();
    case ResourceKind::operation:
      return lifetime.of();
    default:
      return kNoOperation;
  }
}

const WaitQueue* Resource::waiters() const {
  switch (kind) {
    case ResourceKind::condition:
      return &condition.waiters();
    case ResourceKind::barrier:
      return &barrier.waiters();
    case ResourceKind::futex:
      return &queue;
    default:
      return nullptr;
  }
}

std::uint64_t Resource::state(WaitLinks& links) const {
  std::uint64_t hash = combine(mix(static_cast<std::uint64_t>(kind)), gone ? 1 : 0);
  const WaitQueue* const waiting = waiters();
  if (waiting != nullptr) hash = combine(hash, hash_of_queue(*waiting, links));
  switch (kind) {
    case ResourceKind::mutex:
    case ResourceKind::spin_lock:
      return combine(hash, mutex.state());
    case ResourceKind::condition:  // when the last signal was lost is used only in reports
      return waiting->empty() ? hash : combine(hash, index(condition.mutex()));
    case ResourceKind::read_write_lock:
      return combine(hash, read_write_lock.state());
    case ResourceKind::semaphore:
      return combine(hash, semaphore.value());
    case ResourceKind::barrier:
      return combine(hash, barrier.parties());
    case ResourceKind::once:
      return combine(combine(hash, index(once.runner())), once.is_done() ? 1 : 0);
    case ResourceKind::operation:
      return combine(hash, lifetime.state());
    default:
      return hash;
  }
}

}  // namespace heddle::model
