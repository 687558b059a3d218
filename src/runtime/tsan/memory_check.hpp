// Every access of an instrumented program: races become verdicts, or what the settings make of them; uses of freed
// blocks and of left stacks are verdicts always.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/settings.hpp"
#include "races/detector.hpp"
#include "runtime/tsan/ignored.hpp"
#include "runtime/tsan/left_frames.hpp"
#include "runtime/tsan/order.hpp"
#include "runtime/tsan/promoted.hpp"
#include "runtime/tsan/stacks.hpp"

namespace heddle::runtime {

class MemoryCheck {
 public:
  explicit MemoryCheck(Stacks& stacks) : detector_(memory_order), stacks_(stacks) {}

  void begin(const engine::Settings& settings);
  /// A new operation has its stack and its thread-local objects where an earlier one had them.
  void add(OperationId child, OperationId earlier_there);

  /// Was the access made in this moment of the operation already?
  template <std::uint32_t kBytes, bool kWrites>
  [[gnu::always_inline]] bool is_known(std::uintptr_t address, OperationId self) const {
    return detector_.is_known<kBytes, kWrites>(address, memory_order.now(self));
  }
  /// Just before an access is made: in the stack of another it might destroy the frames by which that is seen.
  void before_access(races::AccessKind kind, const volatile void* at, std::size_t bytes, const void* place) {
    const LeftFrames::Found left = left_frames_.find(reinterpret_cast<std::uintptr_t>(at), front.self());
    if (left.whose != kNoOperation) [[unlikely]]
      tell_left(kind, at, bytes, place, left);
  }
  void access(races::AccessKind kind, const volatile void* at, std::size_t bytes, const void* place);
  void allocated(const void* block, std::size_t bytes, const void* place);
  /// Another object is there now, and nothing is known of how it came there.
  void forget(const void* at, std::size_t bytes) { detector_.forget(reinterpret_cast<std::uintptr_t>(at), bytes); }
  /// An object by which operations synchronise, in the step taken last.
  void used(ResourceId id);
  void freed(const void* block, std::size_t bytes, const void* place);

  Promoted& promoted() { return promoted_; }
  const Promoted& promoted() const { return promoted_; }
  IgnoredRaces& ignored() { return ignored_; }
  const IgnoredRaces& ignored() const { return ignored_; }

 private:
  [[gnu::noinline]] void found(const races::Conflict& conflict, const void* place);
  bool is_ignored(const races::Conflict& conflict, const void* place);
  void tell_race(const races::Conflict& conflict);
  void tell_freed(const races::Conflict& conflict);
  [[gnu::noinline]] void tell_left(races::AccessKind kind, const volatile void* at, std::size_t bytes,
                                   const void* place, LeftFrames::Found left);
  void record(const races::Conflict& conflict);

  races::Detector detector_;
  LeftFrames left_frames_;
  Stacks& stacks_;
  Promoted promoted_;
  IgnoredRaces ignored_;
  engine::Races races_ = engine::Races::report;
};

/// Is it among those that are watched? An epoch has room for so many.
inline bool is_known_to_detector(OperationId id) { return index(id) < races::kOperationsMax; }

}  // namespace heddle::runtime
