// Proves that an execution will never end, because the whole state of the program repeats.
//
// An execution that has run out of steps is not necessarily a livelock: it may only need more steps. So it continues
// for a while, always with the enabled operation that has waited longest, and its state is examined before each step.
// If the state is one seen before, the steps in between can be repeated forever. If in addition every operation that
// could have taken one of these steps took one, the repetition does not depend on unfair scheduling: it is a livelock.
// Anything else proves nothing, and the execution is cut.
//
// The state consists of the position of each operation with its registers and stack, every resource, all memory of the
// program (engine/program_memory.hpp), and the times that operations wait for, relative to now. A step that depends on
// anything else (it drew a value, read a clock or a descriptor, received a signal) makes the states before and after it
// incomparable.
//
// Memory can change for a reason outside the program, such as the loader binding a function at its first call. So no
// state is kept until the program has had time to go round, and a finding is reported only after 256, 512, 1024 …
// steps. The same execution then ends at the same step when it is run again.
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

class Execution;

/// Always chooses the enabled operation whose last step is the oldest, so no operation waits longer than one round.
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

/// No operation can go on: ends the execution if an operation waits in a loop for a write.
void find_spinner(Execution& execution);

class LivelockWatch {
 public:
  enum class Finding : std::uint8_t { nothing_yet, livelock, nothing };

  LivelockWatch(Scheduler& scheduler, const Executor& executor) : scheduler_(scheduler), executor_(executor) {}

  /// See ProgramMemory.
  void note_home() { memory_.note_home(); }
  /// Watches for at most `looks_max` steps.
  void begin(std::uint64_t looks_max);
  /// The number of looks that is enough for the current number of operations.
  std::uint64_t enough_looks() const;
  /// Called by an operation that has come to stand.
  void capture(OperationId self);
  /// The running operation has seen something that is not part of the state.
  void saw_outside() { repetition_.is_not_comparable(); }
  void drew_value() {
    repetition_.is_not_comparable();
    draws_ = true;
  }
  /// Called before each step.
  Finding look();
  /// A livelock was found, though `look` may not have reported it yet.
  bool has_found() const { return has_found_; }

  /// `T1 and T2 come back to the same state every 12 steps`
  void explain(Sentence& sentence) const;
  /// True if the repeated steps drew values.
  bool draws() const { return draws_; }
  /// The places in the program that took the most steps, most frequent first; null: no more.
  std::array<const void*, kRepeatedPlaces> most_repeated() const;

 private:
  struct Local {
    ProgramFrame frame;
    std::uint64_t hash = 0;
    model::Event next;         // at the last look
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
