// Races that an execution did not show, and schedules that show them.
//
// Some executions are logged, and their logs searched for conflicting accesses that a sync-preserving reordering puts
// next to each other (sync_preserving.hpp). What leads there is a part of the log in its own order: a later execution
// follows it operation by operation, and then the two accesses happen one right after the other, in the order that
// they did not have. If they race, the detector sees it; nothing is reported here. Where the program does something
// else than in the log, because a value was drawn or time has passed, the rest of the execution is not steered; after
// three of these a target is given up.
//
// Pairs of which both are atomic do not race and are left out. Each pair of places, in each order, is a target once.
// Logged are the first 32,768 steps of the 1st, 2nd, 4th, … execution in which nothing is left to confirm. An access is
// compared with the 64 before it at its resource; of one log at most 256 pairs are looked at and 16 become targets, and
// if there were more, the next execution is logged too.
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
  /// `who` takes its step; whoever steers.
  void step(const ScheduleView& view, OperationId who);
  void end(std::uint32_t points);

  /// Of this execution, if it is the one that is steered to the target or not. A way leads to its target only among the
  /// scheduling points that it was found among; to find one, every access should be a point.
  std::uint32_t wanted_points(bool goes_for_target) const {
    return goes_for_target ? points_ : is_logged_ ? kFinestPoints : kAnyPoints;
  }
  bool has_target() const { return next_ < targets_.size(); }
  /// Who must go for the target to be reached; kNoOperation: it does not matter, or it cannot be reached any more.
  /// Asked at every choice of an execution, or at none.
  OperationId choose(const ScheduleView& view);

  std::uint32_t confirmed() const { return confirmed_; }
  /// Executions that went for a target and did not get there.
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
  /// A try for a lock whose outcome shows when its operation goes on.
  struct Try {
    std::uint32_t event = kNone;
    ResourceId lock = kNoResource;
  };
  struct Target {
    std::size_t first = 0;  // in ways_
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
  CommonVector<Logged> logged_;  // of trace_
  CommonVector<Try> tries_;      // indexed by operation
  std::uint32_t met_ = 0;        // operations
  Interned known_;               // pairs of places
  CommonVector<Target> targets_;
  CommonVector<std::uint32_t> ways_;  // names of operations, in the order in which they go
  std::size_t next_ = 0;              // of targets_
  std::size_t at_ = 0;                // of ways_
  Following following_ = Following::no;
  std::uint32_t executions_ = 0;
  std::uint32_t points_ = 0;  // of the execution in which the targets were found
  std::uint32_t confirmed_ = 0;
  std::uint32_t lost_ = 0;
  bool is_logged_ = false;
  bool is_more_ = false;  // the last log had more than fits
};

}  // namespace heddle::strategy
