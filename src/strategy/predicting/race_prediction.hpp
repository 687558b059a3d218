// Predicts races that an execution did not show, and schedules that show them.
//
// Some executions are logged. Each log is searched for conflicting accesses that a sync-preserving reordering puts next
// to each other (sync_preserving.hpp). The schedule that leads there is a part of the log in its original order. A
// later execution follows it operation by operation. Then the two accesses happen one right after the other, in the
// opposite order. If they race, the detector sees it; nothing is reported here. The program may deviate from the log,
// because a value was drawn or time has passed. Then the rest of the execution is not steered, and after three such
// executions the target is given up.
//
// Pairs of two atomic accesses do not race and are left out. Each pair of places is a target once in each order. The
// first 32,768 steps of the 1st, 2nd, 4th, … execution are logged if no target is left to confirm. An access is
// compared with the 64 before it at its resource. From one log, at most 256 pairs are examined and 16 become targets.
// If there were more, the next execution is logged too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/predicting/sync_preserving.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/names.hpp"

namespace heddle::strategy {

class RacePrediction {
 public:
  void begin();
  /// `who` takes its step, whichever strategy chose it.
  void step(const ScheduleView& view, OperationId who);
  void end(std::uint32_t points);

  /// The scheduling points this execution wants, depending on whether it is steered to the target. A schedule leads to
  /// its target only with the scheduling points it was found with. To find one, every access should be a scheduling
  /// point.
  std::uint32_t wanted_points(bool goes_for_target) const {
    return goes_for_target ? points_ : is_logged_ ? kFinestPoints : kAnyPoints;
  }
  bool has_target() const { return next_ < targets_.size(); }
  /// The operation that must go for the target to be reached; kNoOperation: any will do, or the target is out of reach.
  /// Call it at every choice of an execution, or at none.
  OperationId choose(const ScheduleView& view);

  std::uint32_t confirmed() const { return confirmed_; }
  /// Executions that were steered to a target and did not reach it.
  std::uint32_t lost() const { return lost_; }

 private:
  static constexpr std::size_t kEventsMax = 1u << 15;
  static constexpr std::uint32_t kPairsMax = 256;
  static constexpr std::uint32_t kBackMax = 64;
  static constexpr std::size_t kTargetsMax = 16;
  static constexpr std::uint32_t kTries = 3;
  static constexpr std::uint32_t kNone = SyncTrace::kNone;
  static constexpr std::uint32_t kKnownMax = 1u << 15;  // pairs of places

  struct Logged {
    std::uint32_t site;
    bool is_plain;  // a plain access
  };
  /// A try for a lock. Its outcome is known once its operation goes on.
  struct Try {
    std::uint32_t event = kNone;
    ResourceId lock = kNoResource;
  };
  struct Target {
    std::size_t first = 0;  // index in ways_
    std::size_t end = 0;
    std::uint32_t tries = 0;
  };
  enum class Following : std::uint8_t { no, yes, lost, arrived };

  void log(const ScheduleView& view, OperationId who);
  void meet(const ScheduleView& view, OperationId who);
  void end_try(const ScheduleView& view, OperationId who);
  SyncKind kind_of(const model::Event& event) const;
  void search();
  bool is_target(std::uint32_t first, std::uint32_t second);
  void add_target(std::uint32_t first, std::uint32_t second);

  OperationNames names_;
  ResourceNames resources_;
  SiteNames sites_;
  SyncTrace trace_;
  CommonVector<Logged> logged_;  // indexed like trace_
  CommonVector<Try> tries_;      // indexed by operation
  std::uint32_t met_ = 0;        // the number of operations seen
  Interned known_;               // pairs of places
  CommonVector<Target> targets_;
  CommonVector<std::uint32_t> ways_;  // names of operations in schedule order
  std::size_t next_ = 0;              // index in targets_
  std::size_t at_ = 0;                // index in ways_
  Following following_ = Following::no;
  std::uint32_t executions_ = 0;
  std::uint32_t points_ = 0;  // the scheduling points of the execution that yielded the targets
  std::uint32_t confirmed_ = 0;
  std::uint32_t lost_ = 0;
  bool is_logged_ = false;
  bool is_more_ = false;  // the last log had more pairs than fit
};

}  // namespace heddle::strategy
