#include "runtime/tsan/atomics.hpp"

#include "engine/execution.hpp"
#include "runtime/tsan/watch.hpp"

namespace heddle::runtime {

using engine::Points;
using model::EventKind;
using model::MemoryOrder;

namespace {

/// The event of an access of any kind; it is made only here.
model::Event access_event(EventKind kind, ResourceId what, std::size_t bytes, const void* place) {
  return {kind, what, place, model::Event::bytes_of(bytes)};
}

AccessKind accessed_by(EventKind kind) {
  switch (kind) {
    case EventKind::read:
      return AccessKind::read;
    case EventKind::write:
      return AccessKind::write;
    case EventKind::load:
      return AccessKind::atomic_read;
    default:
      return AccessKind::atomic_write;
  }
}

}  // namespace

void Atomics::begin() {
  spins_.begin();
  points_ = front.scheduler().settings().points;
  has_atomic_points_ = points_ > Points::release;
  has_seen_atomics_ = memory_.promoted().has_atomics();
  has_plain_points_ = points_ == Points::all || (points_ == Points::racy && memory_.promoted().any());
  looks_closely_ = has_plain_points_;
  alone_ = kNoOperation;
  front.execution().set_spinner([] { return watch.atomics().spins_.someone(); });
}

/// An operation that goes on and on over atomics, and lets no other operation do anything, yields now and then. It may
/// wait for another one in a loop that changes something each time.
inline void Atomics::count_access(OperationId self, const void* place) {
  const std::uint64_t steps = has_atomic_points_ ? 0 : front.scheduler().steps();
  if (self != alone_ || steps != alone_at_step_) {
    alone_ = self;
    alone_at_step_ = steps;
    alone_accesses_ = 0;
  } else if (++alone_accesses_ >= (has_atomic_points_ ? kAloneWithPoints : kAloneWithout)) [[unlikely]] {
    alone_accesses_ = 0;
    if (front.scheduler().enabled().size() > 1) idle(EventKind::yield, place);
  }
}

/// Atomic accesses are worth being points if others can come in between.
inline void Atomics::see_atomic() {
  if (has_seen_atomics_ || front.scheduler().enabled().size() < 2) [[likely]]
    return;
  has_seen_atomics_ = true;
  memory_.promoted().saw_atomic();
}

ResourceId Atomics::stand_before_load(EventKind kind, const volatile void* at, std::size_t bytes, const void* place) {
  const OperationId self = front.self();
  const ResourceId what = variable_at(at);
  const bool is_point = kind == EventKind::read || has_atomic_points_;
  if (kind != EventKind::read) see_atomic();
  count_access(self, place);
  spins_.has_come_after_write(self);
  const Spins::Round round = spins_.next_round(self, at, place, is_point);
  if (round == Spins::Round::yields) [[unlikely]]
    idle(EventKind::yield, place);
  if (round == Spins::Round::waits) [[unlikely]] {
    spins_.wait(self);
    front.execution().step_when_woken(access_event(EventKind::spin, what, bytes, place));
  } else if (is_point) {
    front.execution().step(access_event(kind, what, bytes, place));
  }
  memory_.before_access(accessed_by(kind), at, bytes, place);
  return what;
}

ResourceId Atomics::stand_before_store(EventKind kind, const volatile void* at, std::size_t bytes, const void* place) {
  const ResourceId what = variable_at(at);
  const OperationId self = front.self();
  count_access(self, place);
  spins_.has_come_after_write(self);
  const bool is_part_of_loop = kind == EventKind::write && spins_.is_between_reads(self);
  if (kind != EventKind::write) see_atomic();
  if (kind == EventKind::write || has_atomic_points_) front.execution().step(access_event(kind, what, bytes, place));
  if (is_part_of_loop) spins_.will_write(self, at, bytes);
  memory_.before_access(accessed_by(kind), at, bytes, place);
  return what;
}

void Atomics::loaded(ResourceId what, const volatile void* at, std::size_t bytes, MemoryOrder order,
                     std::uint64_t value, const void* place) {
  memory_order.load(front.self(), sync_of(what), order);  // first: what it has learned from comes before it
  memory_.access(AccessKind::atomic_read, at, bytes, place);
  has_read(at, bytes, value, place);
}

void Atomics::stored(ResourceId what, const volatile void* at, std::size_t bytes, MemoryOrder order,
                     const void* place) {
  memory_.access(AccessKind::atomic_write, at, bytes, place);
  memory_order.store(front.self(), sync_of(what), order);
  has_written(at, bytes);
}

void Atomics::updated(ResourceId what, const volatile void* at, std::size_t bytes, MemoryOrder order,
                      std::uint64_t before, bool has_changed, const void* place) {
  memory_order.load(front.self(), sync_of(what), order);
  memory_.access(AccessKind::atomic_write, at, bytes, place);
  memory_order.carry_on(front.self(), sync_of(what), order);
  if (has_changed)
    has_written(at, bytes);
  else
    has_read(at, bytes, before, place);
}

void Atomics::fenced(MemoryOrder order, const void* place) {
  see_atomic();
  if (has_atomic_points_) idle(EventKind::fence, place);
  memory_order.fence(front.self(), order);
}

bool Atomics::is_promoted(const void* place) const { return memory_.promoted().any() && memory_.promoted().has(place); }

void Atomics::has_read(const volatile void* at, std::size_t bytes, std::uint64_t value, const void* place) {
  spins_.has_read(front.self(), at, bytes, value, place);
  looks_closely_ = has_plain_points_ || spins_.any_suspicion();
}

void Atomics::has_written(const volatile void* at, std::size_t bytes) {
  spins_.progressed(front.self());
  spins_.written(at, bytes);
}

void Atomics::touch_suspected(const volatile void* at, std::size_t bytes, bool writes, bool is_point) {
  if (!is_point || writes) spins_.will_touch(front.self(), at, bytes);
  if (writes) spins_.written(at, bytes);
}

}  // namespace heddle::runtime
