// What is known about an execution of an instrumented program.
//
// With -fsanitize=thread, any GCC or Clang puts a call before each memory access. access.cpp, atomic.cpp and
// annotations.cpp define the called functions, in place of ThreadSanitizer's runtime, and forward to this class. Three
// classes do the work: Atomics (points and spin loops), MemoryCheck (races and freed memory) and Stacks (what a report
// says about an access).
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "engine/granularity.hpp"
#include "engine/settings.hpp"
#include "runtime/front.hpp"
#include "runtime/tsan/atomics.hpp"
#include "runtime/tsan/memory_check.hpp"
#include "runtime/tsan/order.hpp"
#include "runtime/tsan/stacks.hpp"

namespace heddle::runtime {

class Watch {
 public:
  Watch() : memory_(stacks_), atomics_(memory_) {}

  /// A module of the program reports its accesses: it said so when it was loaded.
  void found_instrumented() { is_instrumented_ = true; }
  bool is_instrumented() const { return is_instrumented_; }

  /// Called by operation 0, before any of the program's code.
  void begin();
  /// Called at home: nothing is watched from here on.
  void end();
  /// A new operation has its stack and its thread-local objects where an earlier one had them.
  void add(OperationId child, OperationId parent, OperationId earlier_there);

  /// A plain access. The common case costs a compare: see Detector.
  template <std::uint32_t kBytes, bool kWrites>
  [[gnu::always_inline]] void access(const void* at, const void* place) {
    if (!is_watched()) return;
    const OperationId self = front.self();
    if (!is_known_to_detector(self)) [[unlikely]]
      return;
    if (!atomics_.looks_closely() && memory_.is_known<kBytes, kWrites>(reinterpret_cast<std::uintptr_t>(at), self))
        [[likely]]
      return;
    look(at, kBytes, kWrites, place);
  }
  void access_range(const void* at, std::size_t bytes, bool writes, const void* place) {
    if (is_watched() && bytes > 0) look(at, bytes, writes, place);
  }

  // The heap, used by an operation under control.
  void allocated(const void* block, std::size_t bytes, const void* place);
  void freed(const void* block, std::size_t bytes, const void* place);

  /// Called by an operation that has taken its step: it locks, posts, signals, waits for or wakes an object.
  void used(ResourceId id);

  /// Accesses of the running operation are not checked while there were more begins than ends.
  void ignore(int by);

  Atomics& atomics() { return atomics_; }
  Stacks& stacks() { return stacks_; }
  Promoted& promoted() { return memory_.promoted(); }
  const Promoted& promoted() const { return memory_.promoted(); }
  IgnoredRaces& ignored() { return memory_.ignored(); }
  const IgnoredRaces& ignored() const { return memory_.ignored(); }

 private:
  [[gnu::noinline]] void look(const void* at, std::size_t bytes, bool writes, const void* place);
  bool looks_at(OperationId id);

  Stacks stacks_;
  MemoryCheck memory_;
  Atomics atomics_;
  PageVector<int> ignores_;  // indexed by operation: begins without an end
  bool is_instrumented_ = false;
};

extern Watch watch;

/// The points that executions can have. Racy points differ from atomic ones only through places that race and are not
/// reported.
engine::Levels levels_of_points();

/// The running operation reads a clock, or gets a random number: a loop that does so does more than wait.
inline void note_seen_outside() {
  front.execution().saw_outside();
  if (memory_is_watched) [[unlikely]]
    watch.atomics().saw_outside();
}

/// Called by the owner of the heap, with what the program gets and gives back.
inline void tell_allocated(const void* block, std::size_t bytes, const void* place) {
  if (is_watched() && block != nullptr) [[unlikely]]
    watch.allocated(block, bytes, place);
}
inline void tell_freed(const void* block, std::size_t bytes, const void* place) {
  if (is_watched()) [[unlikely]]
    watch.freed(block, bytes, place);
}

}  // namespace heddle::runtime
