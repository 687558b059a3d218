// What is known of an execution of a program that tells of its accesses: races, points, spin loops.
//
// Any GCC or Clang puts a call before each access of memory with -fsanitize=thread; access.cpp, atomic.cpp and
// annotations.cpp define the functions that are called, in the place of ThreadSanitizer's runtime, and come here.
#pragma once

#include <cstdint>
#include <vector>

#include "base/page_vector.hpp"
#include "engine/execution.hpp"
#include "races/detector.hpp"
#include "runtime/front.hpp"
#include "runtime/tsan/held.hpp"
#include "runtime/tsan/ignored.hpp"
#include "runtime/tsan/order.hpp"
#include "runtime/tsan/promoted.hpp"
#include "runtime/tsan/spins.hpp"

namespace heddle::runtime {

class Watch {
 public:
  Watch() : detector_(memory_order) {}

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
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    const OperationId self = front.self();
    if (index(self) >= races::kOperationsMax) [[unlikely]]
      return;
    if (!looks_closely_ && detector_.is_known<kBytes, kWrites>(address, memory_order.now(self))) [[likely]]
      return;
    look(at, kBytes, kWrites, place);
  }
  void access_range(const void* at, std::size_t bytes, bool writes, const void* place) {
    if (is_watched() && bytes > 0) look(at, bytes, writes, place);
  }

  // Atomic ones, by an operation under control: it stands at its point, makes the access, and tells of it.
  ResourceId stand_before_store(model::EventKind kind, const volatile void* at, const void* place);
  /// A read may be one more of many that all saw the same.
  ResourceId stand_before_load(model::EventKind kind, const volatile void* at, const void* place);
  void loaded(ResourceId what, const volatile void* at, std::size_t bytes, races::MemoryOrder order,
              std::uint64_t value, const void* place);
  void stored(ResourceId what, const volatile void* at, std::size_t bytes, races::MemoryOrder order, const void* place);
  /// `has_changed`: another value is there now; one that leaves it as it was may be one more round of a loop.
  void updated(ResourceId what, const volatile void* at, std::size_t bytes, races::MemoryOrder order,
               std::uint64_t before, bool has_changed, const void* place);
  void fenced(races::MemoryOrder order, const void* place);
  bool weak_fails() { return settings().weak_failures && front.execution().choose(2) == 1; }

  // The heap, by an operation under control.
  void allocated(const void* block, std::size_t bytes, const void* place);
  void freed(const void* block, std::size_t bytes, const void* place);

  // Functions are entered and left: kept only while an execution is recorded, for the stacks of accesses.
  [[gnu::always_inline]] void enter(const void* place) {
    if (keeps_stacks_ && is_controlled()) [[unlikely]]
      push(place, reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) + kFrameToStack);
  }
  void leave() {
    if (keeps_stacks_ && is_controlled()) [[unlikely]]
      pop();
  }
  /// By longjmp: all functions whose stack lies below are left without a word.
  void jumped_to(std::uintptr_t stack) {
    if (keeps_stacks_ && is_controlled()) [[unlikely]]
      pop_below(stack);
  }

  // Locks are taken and given back: kept as long as stacks are.
  void taken(ResourceId lock) {
    if (keeps_stacks_) [[unlikely]]
      hold(lock);
  }
  void given_back(ResourceId lock) {
    if (keeps_stacks_) [[unlikely]]
      held_.give_back(front.self(), lock);
  }

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

  /// Accesses of the running operation are not looked at, as long as there were more begins than ends.
  void ignore(int by);

  Promoted& promoted() { return promoted_; }
  const Promoted& promoted() const { return promoted_; }
  IgnoredRaces& ignored() { return ignored_; }
  const IgnoredRaces& ignored() const { return ignored_; }

 private:
  /// From the frame of a function to the stack pointer of its caller: over a saved frame and the return address.
  static constexpr std::uintptr_t kFrameToStack = 2 * sizeof(void*);

  struct Node {  // of the tree of stacks
    const void* place;
    std::uint32_t parent;  // index + 1; 0: the outermost
    std::uintptr_t stack;  // the stack pointer of the function that was entered there
  };
  struct Site {  // while an execution is recorded
    const void* place;
    std::uint32_t stack;  // index + 1 of a Node
    std::uint32_t locks;  // as Held numbers them
    const void* told;     // the place that a person is told
    bool operator==(const Site&) const = default;
  };
  struct Thread {
    std::uint32_t stack = 0;  // index + 1 of the Node it is in
    int ignores = 0;
  };
  struct Block {
    std::uintptr_t begin;
    std::size_t bytes;
    std::uint32_t site;
    OperationId by;
  };

  const engine::Settings& settings() { return front.scheduler().settings(); }
  Thread& thread(OperationId id);
  [[gnu::noinline]] void look(const void* at, std::size_t bytes, bool writes, const void* place);
  void check(races::AccessKind kind, const volatile void* at, std::size_t bytes, const void* place);
  std::uint32_t site_of(const void* place) { return site_of_request(place, nullptr); }
  std::uint32_t site_of_request(const void* place, const void* (*told)(const void*));
  void has_read(const volatile void* at, std::size_t bytes, std::uint64_t value, const void* place);
  void has_written(const volatile void* at, std::size_t bytes);
  void found(const races::Conflict& conflict, const void* place);
  bool is_ignored(const races::Conflict& conflict, const void* place);
  const void* whole_place(std::uint32_t site) const;
  void record(OperationId who, const char* what, std::size_t bytes, std::uint32_t site);
  void record_block(std::uintptr_t address);
  void push(const void* place, std::uintptr_t stack);
  void pop();
  void pop_below(std::uintptr_t stack);
  void hold(ResourceId lock);

  races::Detector detector_;
  Promoted promoted_;
  IgnoredRaces ignored_;
  Spins spins_;
  PageVector<Thread> threads_;  // indexed by operation
  PageVector<Node> nodes_;
  PageVector<Site> sites_;
  PageVector<Block> blocks_;
  Held held_;
  bool is_instrumented_ = false;
  // What the settings say, for this execution.
  bool checks_ = false;  // accesses, for races
  bool has_atomic_points_ = false;
  bool has_plain_points_ = false;
  bool looks_closely_ = false;  // a plain access may be a point, or may end a wait: none is known at a glance
  bool keeps_stacks_ = false;
};

extern Watch watch;

/// The points that an exploration can begin with and refine, from the coarsest on. Only places that race and are not
/// reported make racy ones differ from atomic ones.
std::vector<engine::Points> levels_of_points(engine::Races races);

/// The running operation reads a clock, or gets a random number: a loop that does so does not only wait.
inline void note_seen_outside() {
  front.execution().saw_outside();
  if (memory_is_watched) [[unlikely]]
    watch.saw_outside();
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
