// Proves that an execution will never end: the whole state of the program comes again.
//
// An execution that has run out of steps is not yet known to be a livelock: it may only need more. So it goes on for a
// while, always with the enabled operation that has waited longest, and is looked at before each step. If the state is
// one that was there before, the steps in between can be taken again and again; if every operation that could have
// taken one of them has, nothing unfair keeps them going. That is a livelock. Anything else proves nothing, and the
// execution is cut.
//
// The state: where each operation stands, with its registers and its stack; every resource; all memory of the program
// (engine/program_memory.hpp); times that operations wait for, from now on. A step that depends on more than this (a
// value was drawn, a clock or a descriptor was read, a signal came) makes the states before and after it incomparable.
//
// Memory can differ for a reason that is not the program's, such as a function that the loader binds when it is first
// called. So no state is kept until the program had time to go round, and what is found is told only after 256, 512,
// 1024 … steps: the same execution ends at the same step when it is run again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "engine/detectors/repetition.hpp"
#include "engine/detectors/sentence.hpp"
#include "engine/executor.hpp"
#include "engine/program_frame.hpp"
#include "engine/program_memory.hpp"
#include "engine/scheduler.hpp"
#include "model/event.hpp"
#include "strategy/strategy.hpp"
#include "trace/verdict.hpp"

namespace heddle::engine {

/// Always the enabled operation whose last step is the longest ago: nobody waits longer than one round.
class OldestFirst final : public strategy::Strategy {
 public:
  explicit OldestFirst(const Scheduler& scheduler) : scheduler_(scheduler) {}

  bool begin(Random&) override { return true; }
  OperationId choose_operation(const strategy::ScheduleView& view) override;
  std::uint32_t choose_value(const strategy::ScheduleView&, std::uint32_t) override { return 0; }
  bool is_fair() const override { return true; }

 private:
  const Scheduler& scheduler_;
};

class LivelockWatch {
 public:
  enum class Finding : std::uint8_t { nothing_yet, livelock, nothing };

  LivelockWatch(Scheduler& scheduler, const Executor& executor) : scheduler_(scheduler), executor_(executor) {}

  /// See ProgramMemory.
  void note_home() { memory_.note_home(); }
  /// For so many steps at most.
  void begin(std::uint64_t looks_max);
  /// How many are enough for as many operations as there are now.
  std::uint64_t enough_looks() const;
  /// By an operation that has come to stand.
  void capture(OperationId self);
  /// The running operation has seen something that is not part of the state.
  void saw_outside() { repetition_.is_not_comparable(); }
  void drew_value() {
    repetition_.is_not_comparable();
    draws_ = true;
  }
  /// Before each step.
  Finding look();
  /// It is a livelock, though `look` may not have said so yet.
  bool has_found() const { return has_found_; }

  /// `T1 and T2 come back to the same state every 12 steps`
  void explain(Sentence& sentence) const;
  /// Did it draw values on the way?
  bool draws() const { return draws_; }
  /// The places of the program that took most steps, most first; null: no more.
  std::array<const void*, kRepeatedPlaces> most_repeated() const;

 private:
  struct Local {
    ProgramFrame frame;
    std::uint64_t hash = 0;
    model::Event next;         // when it was looked at last
    bool is_captured = false;  // since the watch began
  };
  struct PlaceCount {
    const void* place;
    std::uint32_t steps;
  };

  void take_in_last_step();
  std::uint64_t look_at_operations();
  void count(const void* place);
  std::optional<std::uint64_t> whole_state();
  std::uint64_t hash_of_stack(OperationId id);
  std::uint64_t hash_of_resource(const model::Resource& resource);
  std::uint64_t hash_of_queue(const model::WaitQueue& queue);

  Scheduler& scheduler_;
  const Executor& executor_;
  ProgramMemory memory_;
  PageVector<Local> locals_;  // indexed by operation
  PageVector<PlaceCount> places_;
  Repetition repetition_;
  std::uint64_t looks_ = 0;
  std::uint64_t looks_max_ = 0;
  std::uint64_t length_ = 0;  // of the repetition that was found
  bool has_found_ = false;
  bool draws_ = false;
};

}  // namespace heddle::engine
