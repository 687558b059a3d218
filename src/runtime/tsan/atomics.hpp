// Accesses that are scheduling points: atomic ones, and plain ones where the settings ask for it.
//
// An operation stands at the point, makes the access, and tells of it: what it has learned by the order of the access,
// and whether it goes round a loop that waits for another operation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/front.hpp"
#include "runtime/tsan/memory_check.hpp"
#include "runtime/tsan/spins.hpp"

namespace heddle::runtime {

class Atomics {
 public:
  explicit Atomics(MemoryCheck& memory) : memory_(memory) {}

  void begin();

  ResourceId stand_before_store(model::EventKind kind, const volatile void* at, std::size_t bytes, const void* place);
  /// A read may be one more of many that all saw the same.
  ResourceId stand_before_load(model::EventKind kind, const volatile void* at, std::size_t bytes, const void* place);

  void loaded(ResourceId what, const volatile void* at, std::size_t bytes, races::MemoryOrder order,
              std::uint64_t value, const void* place);
  void stored(ResourceId what, const volatile void* at, std::size_t bytes, races::MemoryOrder order, const void* place);
  /// `has_changed`: another value is there now; one that leaves it as it was may be one more round of a loop.
  void updated(ResourceId what, const volatile void* at, std::size_t bytes, races::MemoryOrder order,
               std::uint64_t before, bool has_changed, const void* place);
  void fenced(races::MemoryOrder order, const void* place);
  bool weak_fails() { return front.scheduler().settings().weak_failures && front.execution().choose(2) == 1; }

  // Plain accesses.
  /// One may be a point, or may end a wait: none is known at a glance.
  bool looks_closely() const { return looks_closely_; }
  bool is_plain_point(const void* place) const;
  void has_read(const volatile void* at, std::size_t bytes, std::uint64_t value, const void* place);
  void will_touch_plain(const volatile void* at, std::size_t bytes, bool writes, bool is_point);

  /// The running operation takes a step that changes nothing: see Spins.
  void idle(model::EventKind kind, const void* place) {
    const OperationId self = front.self();
    const bool is_part_of_loop = memory_is_watched && spins_.is_between_reads(self);
    front.execution().step(event(kind, kNoResource, place));
    if (is_part_of_loop) [[unlikely]]
      spins_.has_idled(self);
  }
  /// It has seen something that is not the program's memory.
  void saw_outside() { spins_.progressed(front.self()); }

 private:
  void has_written(const volatile void* at, std::size_t bytes);

  MemoryCheck& memory_;
  Spins spins_;
  // What the settings say, for this execution.
  engine::Points points_ = engine::Points::racy;
  bool has_atomic_points_ = false;
  bool has_plain_points_ = false;
  bool looks_closely_ = false;
};

}  // namespace heddle::runtime
