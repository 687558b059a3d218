// Checks every memory access of an instrumented program. Races become verdicts, or what the settings make of them; uses
// of freed blocks and of left stacks are always verdicts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/access_kind.hpp"
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

  /// True if the access was already made at this point in the operation's time.
  template <std::uint32_t kBytes, bool kWrites>
  [[gnu::always_inline]] bool is_known(std::uintptr_t address, OperationId self) const {
    return detector_.is_known<kBytes, kWrites>(address, memory_order.now(self));
  }
  /// Called just before an access. In another operation's stack, the access could destroy the frames that reveal it.
  void before_access(AccessKind kind, const volatile void* at, std::size_t bytes, const void* place) {
    const LeftFrames::Found left = left_frames_.find(reinterpret_cast<std::uintptr_t>(at), front.self());
    if (left.whose != kNoOperation) [[unlikely]]
      tell_left(kind, at, bytes, place, left);
  }
  void access(AccessKind kind, const volatile void* at, std::size_t bytes, const void* place);
  void allocated(const void* block, std::size_t bytes, const void* place);
  /// Another object is there now, and how it came there is not known.
  void forget(const void* at, std::size_t bytes) { detector_.forget(reinterpret_cast<std::uintptr_t>(at), bytes); }
  /// The last step used an object by which operations synchronise.
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
  [[gnu::noinline]] void tell_left(AccessKind kind, const volatile void* at, std::size_t bytes, const void* place,
                                   LeftFrames::Found left);
  void record(const races::Conflict& conflict);

  races::Detector detector_;
  LeftFrames left_frames_;
  Stacks& stacks_;
  Promoted promoted_;
  IgnoredRaces ignored_;
  engine::Races races_ = engine::Races::report;
};

/// True if the operation is watched. An epoch has room for this many.
inline bool is_known_to_detector(OperationId id) { return index(id) < model::kOperationsMax; }

}  // namespace heddle::runtime
