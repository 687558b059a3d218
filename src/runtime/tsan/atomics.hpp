// Accesses that are scheduling points: atomic ones, and plain ones if the settings ask for it.
//
// An operation stands at the point, makes the access and reports it: what it has learned from the memory order of the
// access, and whether it is in a loop that waits for another operation.
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
  /// A read may be another one of many that all saw the same value.
  ResourceId stand_before_load(model::EventKind kind, const volatile void* at, std::size_t bytes, const void* place);

  void loaded(ResourceId what, const volatile void* at, std::size_t bytes, model::MemoryOrder order,
              std::uint64_t value, const void* place);
  void stored(ResourceId what, const volatile void* at, std::size_t bytes, model::MemoryOrder order, const void* place);
  /// `has_changed`: the value has changed. An update that leaves it unchanged may be another round of a loop.
  void updated(ResourceId what, const volatile void* at, std::size_t bytes, model::MemoryOrder order,
               std::uint64_t before, bool has_changed, const void* place);
  void fenced(model::MemoryOrder order, const void* place);
  bool weak_fails() { return front.scheduler().settings().weak_failures && front.execution().choose(2) == 1; }

  // Plain accesses.
  /// True if an access may be a point or may end a wait, so that none can take the fast path.
  bool looks_closely() const { return looks_closely_; }
  bool is_plain_point(const void* place) const {
    return points_ >= engine::Points::racy && (points_ == engine::Points::all || is_promoted(place));
  }
  void has_read(const volatile void* at, std::size_t bytes, std::uint64_t value, const void* place);
  void will_touch_plain(const volatile void* at, std::size_t bytes, bool writes, bool is_point) {
    if (spins_.any_suspicion()) [[unlikely]]
      touch_suspected(at, bytes, writes, is_point);
  }

  /// The running operation takes a step that changes nothing: see Spins.
  void idle(model::EventKind kind, const void* place) {
    const OperationId self = front.self();
    spins_.has_come_after_write(self);
    const bool is_part_of_loop = memory_is_watched && spins_.is_between_reads(self);
    front.execution().step(event(kind, kNoResource, place));
    if (is_part_of_loop) [[unlikely]]
      spins_.has_idled(self);
  }
  /// The operation has seen something outside the program's memory.
  void saw_outside() { spins_.progressed(front.self()); }

 private:
  // An operation yields after this many accesses of its own.
  static constexpr std::uint32_t kAloneWithPoints = 10'000;
  static constexpr std::uint32_t kAloneWithout = 1'000;

  bool is_promoted(const void* place) const;
  void has_written(const volatile void* at, std::size_t bytes);
  void touch_suspected(const volatile void* at, std::size_t bytes, bool writes, bool is_point);
  void see_atomic();
  void count_access(OperationId self, const void* place);

  MemoryCheck& memory_;
  Spins spins_;
  // The settings, for this execution.
  engine::Points points_ = engine::Points::racy;
  bool has_atomic_points_ = false;
  bool has_plain_points_ = false;
  bool has_seen_atomics_ = false;  // in this execution or an earlier one
  bool looks_closely_ = false;
  OperationId alone_ = kNoOperation;  // made the last accesses
  std::uint64_t alone_at_step_ = 0;   // without atomic points: at this step
  std::uint32_t alone_accesses_ = 0;
};

}  // namespace heddle::runtime
