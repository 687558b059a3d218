// Who goes next: the interface of every strategy.
//
// A strategy sees what every enabled operation is about to do, gets its randomness from outside, learns how each
// execution ended, and knows nothing of threads, files or the command line. It is asked only where there is something
// to choose: two or more enabled operations, or a value below a bound of two or more. Adding one is one file, its maker
// in builtin.hpp, one line in table.cpp, one test of its promise, one page in docs/strategies.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "model/event.hpp"
#include "model/footprint.hpp"
#include "model/resource.hpp"
#include "trace/schedule.hpp"
#include "trace/verdict.hpp"

namespace heddle::strategy {

/// What an operation shows of itself while it stands at a scheduling point.
struct Candidate {
  model::Event next;  // of one that has ended, the last
  OperationId parent = kNoOperation;
  bool has_ended = false;
  std::uint64_t observed = 0;  // what it showed of its own state, hashed: see heddle::observe
};

struct ScheduleView {
  std::span<const OperationId> enabled;  // at least two for choose_operation; ascending
  OperationId current;                   // took the last step; need not be enabled
  bool current_yields;                   // it yielded, slept or timed out, or waits now: to leave it is no preemption
  std::uint64_t step;                    // steps taken so far in this execution
  const Candidate* candidates;           // indexed by operation
  const model::Resource* resources;      // indexed by resource
  std::uint64_t observed = 0;            // what objects of the program showed of themselves, hashed
  bool is_failure = false;               // for choose_value: 1 makes something fail that need not

  const model::Event& next(OperationId id) const { return candidates[index(id)].next; }
  OperationId parent(OperationId id) const { return candidates[index(id)].parent; }
  const model::Resource& resource(ResourceId id) const { return resources[index(id)]; }
  bool is_enabled(OperationId id) const {
    for (OperationId other : enabled)
      if (other == id) return true;
    return false;
  }
};

struct ExecutionSummary {
  const Verdict& verdict;
  std::uint64_t steps;
  std::span<const Choice> schedule;
  std::uint64_t order_class = 0;  // order_class.hpp; 0: nobody asked for it
  std::uint32_t points = 0;       // which scheduling points it had; a number for each kind
  bool left_out_unfair = false;  // an operation that could go on was not offered, because it had paused again and again
};

/// Which scheduling points an execution should have: those that another had, as its summary says, or one of these.
inline constexpr std::uint32_t kAnyPoints = ~0u;
inline constexpr std::uint32_t kFinestPoints = ~0u - 1;

/// What state machines show of themselves to strategies that look at states; to find out costs time.
enum class MachinesShow : std::uint8_t { nothing, inboxes, everything };

/// Is told of every step from the first choice on, whether it was chosen or the only one possible. What comes before is
/// the same in every execution, and where executions share it, nobody sees it.
class StepWatcher {
 public:
  virtual ~StepWatcher() = default;
  /// `who` takes the step view.next(who) now; nothing of it has happened yet.
  virtual void on_step(const ScheduleView& view, OperationId who) = 0;
  /// The running operation got this value.
  virtual void on_value(const ScheduleView&, std::uint32_t) {}
  /// `who` has taken the step that `on_step` told of, and this is all that it touched. Not told of the step that ends
  /// the execution: that one touches everything.
  virtual void on_stepped(OperationId, const model::Footprint&) {}
  /// Does it want that? Footprints cost time.
  virtual bool wants_footprints() const { return false; }
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Before each execution. False: nothing is left to explore. `random` lives until `end`.
  virtual bool begin(Random& random) = 0;
  virtual OperationId choose_operation(const ScheduleView& view) = 0;
  virtual std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) = 0;
  virtual void end(const ExecutionSummary&) {}

  /// Who sees the steps of the execution that has begun; null: nobody has to.
  virtual StepWatcher* watcher() { return nullptr; }
  /// Does `end` want to know the execution's order class?
  virtual bool wants_order_class() const { return false; }

  /// The scheduling points that the execution which has just begun should have; a user who said which are used, or a
  /// program that has only one kind, comes first.
  virtual std::uint32_t wanted_points() const { return kAnyPoints; }

  /// In the execution that has just begun.
  virtual MachinesShow machines_show() const { return MachinesShow::nothing; }

  /// Does every operation that stays enabled get its turn? Only then is an execution without end a livelock.
  virtual bool is_fair() const { return false; }
  /// Does the execution that has just begun continue a search that goes through the same choices again and again? Then
  /// the program must have the same scheduling points in all of its executions.
  virtual bool is_systematic() const { return false; }
  /// After `begin` returned false: what has been explored, as in "every schedule with at most 2 preemptions".
  virtual std::string explored() const { return {}; }
  /// How the executions were spent, for a person who asks; lines.
  virtual std::string explain() const { return {}; }
};

}  // namespace heddle::strategy
