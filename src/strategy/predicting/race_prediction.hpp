// Predicts races that an execution did not show, and schedules that show them.
//
// Some executions are logged. Each log is searched for conflicting accesses that a sync-preserving reordering puts next
// to each other (sync_preserving.hpp). The schedule that leads there is a part of the log in its original order. A
// later execution follows it operation by operation. Then the two accesses happen one right after the other, in the
// opposite order. If they race, the detector sees it; nothing is reported here. The program may deviate from the log,
// because a value was drawn or time has passed. Then the rest of the execution is not steered, and after three such
// executions the target is given up.
//
// Pairs of two atomic accesses do not race and are left out. Each pair of places is a target once in each order,
// whichever operations it is met in. The first 131,072 steps of the 1st, 2nd, 4th, … execution are logged if no target
// is left to confirm.
//
// The search goes by places, so that what many operations do alike is not asked again and again: an access is compared,
// for each place at which its resource was accessed before, with the last kBackMax accesses there. In a first round,
// one such pair of accesses is examined for each pair of places, in a second three more, in a third twelve more. What
// comes before the creation of the other operation is not even examined. The search of a log ends after 16 targets, or
// after looking at kWorkMax events; then the next execution is logged too.
#pragma once

#include <array>
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
  static constexpr std::size_t kEventsMax = 1u << 17;
  static constexpr std::uint64_t kWorkMax = 1u << 23;   // events looked at in the search of a log
  static constexpr std::array kRounds = {1u, 4u, 16u};  // pairs of accesses examined up to then
  static constexpr std::uint32_t kBackMax = 8;
  static constexpr std::size_t kTargetsMax = 16;
  static constexpr std::uint32_t kTries = 3;
  static constexpr std::uint32_t kNone = SyncTrace::kNone;
  static constexpr std::uint32_t kKnownMax = 1u << 15;  // pairs of places

  struct Logged {
    std::uint32_t site;
    bool is_plain;                 // a plain access
    std::uint32_t before = kNone;  // the previous access to the same object at this site
  };
  /// The accesses to one object at one site.
  struct Group {
    std::uint32_t last;          // the newest of them
    std::uint32_t next = kNone;  // index in groups_: of the same object
  };
  /// Two sites, in the order of the log.
  struct Pair {
    std::uint32_t round = 0;  // in which it was met last; all rounds of all logs are numbered
    std::uint32_t met = 0;    // how often in that round
    bool is_target = false;   // or was
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
  void search_round();
  void compare_with_earlier(std::uint32_t second);
  void compare_with_group(std::uint32_t newest, std::uint32_t second);
  void examine(Pair& pair, std::uint32_t first, std::uint32_t second);
  void add_to_group(std::uint32_t access);
  Pair* pair_of(std::uint32_t first, std::uint32_t second);
  bool conflict(std::uint32_t first, std::uint32_t second) const;
  bool is_search_over() const;
  void add_target(std::uint32_t first, std::uint32_t second);
  OperationId operation_named(const ScheduleView& view, std::uint32_t name);

  OperationNames names_;
  ResourceNames resources_;
  SiteNames sites_;
  SyncTrace trace_;
  CommonVector<Logged> logged_;  // indexed like trace_
  CommonVector<Try> tries_;      // indexed by operation
  std::uint32_t met_ = 0;        // the number of operations seen
  Interned pair_names_;          // of two sites
  CommonVector<Pair> pairs_;     // indexed by name
  CommonVector<Group> groups_;
  CommonVector<std::uint32_t> groups_of_;  // indexed by object: index in groups_ + 1; 0: none
  std::uint32_t round_ = 0;                // from 1 on
  std::uint32_t met_from_ = 0;             // of a pair of places, this round examines those met as the met_from_th …
  std::uint32_t met_to_ = 0;               // … up to this one, which it does not
  std::uint64_t compared_ = 0;             // in the search of this log
  std::uint64_t work_before_ = 0;          // before it
  CommonVector<Target> targets_;
  CommonVector<std::uint32_t> ways_;          // names of operations in schedule order
  std::size_t next_ = 0;                      // index in targets_
  std::size_t at_ = 0;                        // index in ways_
  CommonVector<std::uint32_t> operation_of_;  // indexed by name: the operation of this execution + 1; 0: none yet
  std::uint32_t named_ = 0;                   // the number of operations in it
  Following following_ = Following::no;
  std::uint32_t executions_ = 0;
  std::uint32_t points_ = 0;  // the scheduling points of the execution that yielded the targets
  std::uint32_t confirmed_ = 0;
  std::uint32_t lost_ = 0;
  bool is_logged_ = false;
  bool is_more_ = false;  // the search of the last log was not finished
};

}  // namespace heddle::strategy
