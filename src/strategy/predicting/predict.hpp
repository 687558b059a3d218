// Predict and confirm. It predicts lock-order cycles that an execution did not close, and then tries to close one. It
// also predicts accesses that raced in no execution, and then an execution in which they race (race_prediction.hpp).
//
// Whenever an operation takes a lock while it holds another, that is remembered (lock_rings.hpp). Locks are those of
// held_locks.hpp. It is unknown which file a descriptor locks, so all files count as one lock, and an operation that
// holds one file and takes one can wait for another that does.
//
// The next execution targets a ring. Every operation that reaches a lock of the ring while it holds the lock before it
// is held back for as long as another operation can go on. Everything else is random. If the ring can close, it closes
// when the last operation arrives. The deadlock is then reported like any other, because it has happened. A ring that
// does not close in three executions, because the program's own order forbids it, is given up.
//
// Confirming a ring by holding operations back is the idea of DeadlockFuzzer (Joshi, Park, Sen and Naik, PLDI 2009),
// which holds back those that showed it. Rings come before races. Without a prediction to confirm, this strategy is a
// random walk.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"
#include "strategy/predicting/lock_rings.hpp"
#include "strategy/predicting/race_prediction.hpp"
#include "strategy/support/held_locks.hpp"
#include "strategy/support/names.hpp"
#include "strategy/support/randomised.hpp"

namespace heddle::strategy {

class Prediction final : public Randomised, public StepWatcher {
 public:
  bool begin(Random& random) override;
  OperationId choose_operation(const ScheduleView& view) override;
  void end(const ExecutionSummary& summary) override;
  StepWatcher* watcher() override { return this; }
  void on_step(const ScheduleView& view, OperationId who) override;
  bool is_fair() const override { return target_ == kNone && !goes_for_race_; }
  std::uint32_t wanted_points() const override { return races_.wanted_points(goes_for_race_); }
  bool needs_every_choice() const override { return true; }  // it holds operations back wherever they stand

  /// Call these around an execution that another strategy decides. This one then only watches for rings: to look for
  /// races it must influence the scheduling points.
  void begin_looking_on();
  void end_looking_on() { predict(); }

  /// Is there a prediction to confirm?
  bool has_target() const { return next_ != kNone || races_.has_target(); }
  const RacePrediction& races() const { return races_; }

 private:
  static constexpr std::size_t kNone = LockRings::kNone;
  static constexpr std::uint32_t kAnyFile = LockRings::kAnyFile;

  /// A lock that an operation holds.
  struct Held {
    std::uint32_t name = 0;
    model::Does does = model::Does::takes;
  };

  std::uint32_t name_of(const ScheduleView& view, ResourceId lock) {
    return view.resource(lock).kind == model::ResourceKind::descriptor ? kAnyFile : resources_(view, lock);
  }
  OperationId go_for_ring(const ScheduleView& view);
  bool stays(const ScheduleView& view, OperationId id);
  void predict();
  void remember(const ScheduleView& view, OperationId who);
  std::uint64_t note_held(const ScheduleView& view, OperationId who);

  OperationNames operations_;
  ResourceNames resources_;
  HeldLocks held_;
  CommonVector<Held> all_held_;        // by the operation that takes a lock
  CommonVector<std::uint32_t> alone_;  // of these, what nobody else can hold at the same time
  LockRings rings_;
  std::size_t next_ = kNone;    // the ring to try next
  std::size_t target_ = kNone;  // the ring that this execution targets
  bool is_tried_ = false;       // this execution has made a choice towards the target
  bool looks_on_ = false;       // another strategy decides
  RacePrediction races_;
  bool goes_for_race_ = false;
};

}  // namespace heddle::strategy
