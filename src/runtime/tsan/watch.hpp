// What is known of an execution of a program that tells of its accesses.
//
// Any GCC or Clang puts a call before each access of memory with -fsanitize=thread; access.cpp, atomic.cpp and
// annotations.cpp define the functions that are called, in the place of ThreadSanitizer's runtime, and come here. The
// work is done by three: Atomics (points and spin loops), MemoryCheck (races and freed memory) and Stacks (what a
// person is told of an access).
#pragma once

#include <cstdint>
#include <vector>

#include "base/page_vector.hpp"
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

  /// A module of the program tells of its accesses: it said so when it was loaded.
  void found_instrumented() { is_instrumented_ = true; }
  bool is_instrumented() const { return is_instrumented_; }

  /// By operation 0, before anything of the program.
  void begin();
  /// At home: nothing is watched from here on.
  void end();
  /// A new operation has its stack and its thread-local objects where an earlier one had them.
  void add(OperationId child, OperationId parent, OperationId earlier_there);

  /// A plain access. The usual one costs a compare: see Detector.
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

  // The heap, by an operation under control.
  void allocated(const void* block, std::size_t bytes, const void* place);
  void freed(const void* block, std::size_t bytes, const void* place);

  /// By an operation that has taken its step: it locks, posts, signals, waits for or wakes an object.
  void used(ResourceId id);

  /// Accesses of the running operation are not looked at, as long as there were more begins than ends.
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

/// The points that an exploration can begin with and refine, from the coarsest on. Only places that race and are not
/// reported make racy ones differ from atomic ones.
std::vector<engine::Points> levels_of_points(engine::Races races);

/// The running operation reads a clock, or gets a random number: a loop that does so does not only wait.
inline void note_seen_outside() {
  front.execution().saw_outside();
  if (memory_is_watched) [[unlikely]]
    watch.atomics().saw_outside();
}

/// By whoever has the heap, with what the program gets and gives back.
inline void tell_allocated(const void* block, std::size_t bytes, const void* place) {
  if (is_watched() && block != nullptr) [[unlikely]]
    watch.allocated(block, bytes, place);
}
inline void tell_freed(const void* block, std::size_t bytes, const void* place) {
  if (is_watched()) [[unlikely]]
    watch.freed(block, bytes, place);
}

}  // namespace heddle::runtime
