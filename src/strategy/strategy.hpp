// The interface of every strategy: it decides which operation goes next.
//
// A strategy sees what every enabled operation is about to do. It gets its randomness from outside, learns how each
// execution ended, and knows nothing of threads, files or the command line. It is asked only where there is a choice:
// two or more enabled operations, or a value below a bound of two or more. A new strategy needs one file, its factory
// in builtin.hpp, one line in table.cpp, one test of its promise, and one page in docs/strategies.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/ids.hpp"
#include "base/random.hpp"
#include "model/event.hpp"
#include "model/footprint.hpp"
#include "model/resource.hpp"
#include "strategy/enabled_view.hpp"
#include "trace/schedule.hpp"
#include "trace/verdict.hpp"

namespace heddle::strategy {

/// What a strategy sees of an operation at a scheduling point.
struct Candidate {
  model::Event next;  // for an operation that has ended: its last event
  OperationId parent = kNoOperation;
  bool has_ended = false;
  std::uint64_t observed = 0;  // hash of what it showed of its own state: see heddle::observe
};

struct ScheduleView {
  EnabledView enabled;               // at least two for choose_operation; ascending
  OperationId current;               // the operation that took the last step; need not be enabled
  bool current_yields;               // it yielded, slept, timed out, or waits now: leaving it is not a preemption
  std::uint64_t step;                // steps taken so far in this execution
  const Candidate* candidates;       // indexed by operation
  const model::Resource* resources;  // indexed by resource
  std::uint64_t observed = 0;        // hash of what objects of the program showed of themselves
  bool is_failure = false;           // for choose_value: 1 causes a failure that need not happen

  const model::Event& next(OperationId id) const { return candidates[index(id)].next; }
  OperationId parent(OperationId id) const { return candidates[index(id)].parent; }
  const model::Resource& resource(ResourceId id) const { return resources[index(id)]; }
  bool is_enabled(OperationId id) const { return enabled.contains(id); }
};

struct ExecutionSummary {
  const Verdict& verdict;
  std::uint64_t steps;
  std::span<const Choice> schedule;
  std::uint64_t order_class = 0;  // order_class.hpp; 0: not requested
  std::uint32_t points = 0;       // the scheduling points it had; one number for each kind
  bool left_out_unfair = false;   // an operation that could go on was not offered, because it kept pausing
};

/// The scheduling points an execution should have: those of another execution, from its summary, or one of these.
inline constexpr std::uint32_t kAnyPoints = ~0u;
inline constexpr std::uint32_t kFinestPoints = ~0u - 1;

/// What state machines show of themselves to strategies that look at states. Collecting it costs time.
enum class MachinesShow : std::uint8_t { nothing, inboxes, everything };

/// Is told of every step from the first choice on, whether chosen or the only one possible. Earlier steps are the same
/// in every execution, and where executions share them, no watcher sees them.
class StepWatcher {
 public:
  virtual ~StepWatcher() = default;
  /// `who` is about to take the step view.next(who); none of it has happened yet.
  virtual void on_step(const ScheduleView& view, OperationId who) = 0;
  /// The running operation got this value.
  virtual void on_value(const ScheduleView&, std::uint32_t) {}
  /// `who` has completed the step announced by `on_step`; this is everything it touched. Not called for the step that
  /// ends the execution: that one counts as touching everything.
  virtual void on_stepped(OperationId, const model::Footprint&) {}
  /// Does the watcher want footprints? They cost time.
  virtual bool wants_footprints() const { return false; }
};

class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Called before each execution. False: nothing is left to explore. `random` stays valid until `end`.
  virtual bool begin(Random& random) = 0;
  virtual OperationId choose_operation(const ScheduleView& view) = 0;
  virtual std::uint32_t choose_value(const ScheduleView& view, std::uint32_t bound) = 0;
  virtual void end(const ExecutionSummary&) {}

  /// The watcher of the execution that has begun; null: none.
  virtual StepWatcher* watcher() { return nullptr; }
  /// Does `end` need the execution's order class?
  virtual bool wants_order_class() const { return false; }

  /// The scheduling points that the execution which has just begun should have. A user's setting, or a program with
  /// only one kind, takes precedence.
  virtual std::uint32_t wanted_points() const { return kAnyPoints; }

  /// What machines should show in the execution that has just begun.
  virtual MachinesShow machines_show() const { return MachinesShow::nothing; }

  /// Does every operation that stays enabled get its turn? Only then is an endless execution a livelock.
  virtual bool is_fair() const { return false; }
  /// Does the execution that has just begun continue a search that repeats the same choices? Then the program must have
  /// the same scheduling points in all of its executions.
  virtual bool is_systematic() const { return false; }
  /// Must the execution that has just begun ask at every point where several operations can go on? A systematic search
  /// counts schedules as others do. Otherwise it is asked only where the answer can matter.
  virtual bool needs_every_choice() const { return is_systematic(); }
  /// After `begin` returned false: what has been explored, such as "every schedule with at most 2 preemptions".
  virtual std::string explored() const { return {}; }
  /// How the executions were spent, as lines for a human reader.
  virtual std::string explain() const { return {}; }
};

}  // namespace heddle::strategy
