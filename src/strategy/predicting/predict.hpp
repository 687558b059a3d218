// Predict and confirm. It predicts lock-order cycles that an execution did not close, and then tries to close one. It
// also predicts accesses that raced in no execution, and then an execution in which they race (race_prediction.hpp).
//
// Whenever an operation takes a lock while it holds another, that pair is remembered. Pairs of different operations
// that form a ring (T1 holds A and takes B, T2 holds B and takes A) are a prediction. In another order they might wait
// for each other, unless two of them hold the same third lock, which excludes that. Locks are those of held_locks.hpp.
// Two readers do not wait for each other. It is unknown which file a descriptor locks, so all files count as one lock,
// and an operation that holds one file and takes one forms a pair.
//
// The next execution targets a ring. An operation of the ring that reaches its second lock while it holds the first is
// held back for as long as another operation can go on. Everything else is random. If the ring can close, it closes
// when the last operation arrives. The deadlock is then reported like any other, because it has happened. A ring that
// does not close in three executions, because the program's own order forbids it, is given up.
//
// The lock graph is that of Goodlock (Havelund 2000). Confirming it by holding operations back is the idea of
// DeadlockFuzzer (Joshi, Park, Sen and Naik, PLDI 2009). Rings come before races. Without a prediction to confirm, this
// strategy is a random walk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"
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
  static constexpr std::size_t kRingMax = 8;
  static constexpr std::uint32_t kTries = 3;
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kPairsMax = 4096;
  static constexpr std::size_t kTargetsMax = 4096;
  static constexpr std::uint32_t kLooksMax = 100'000;  // steps of the search for rings after one execution

  /// Uses names that hold from one execution to the next.
  struct Pair {
    std::uint32_t who = 0;
    std::uint32_t held = 0;
    std::uint32_t wanted = 0;
    std::array<std::uint32_t, HeldLocks::kLocks> holds{};  // held at that moment, including `held`; read locks do not
                                                           // count
    std::uint32_t hold_count = 0;
    model::Does has = model::Does::takes;
    model::Does wants = model::Does::takes;
  };
  struct Ring {
    std::array<std::uint32_t, kRingMax> pairs{};
    std::uint32_t size = 0;
    std::uint32_t tries = 0;
    bool closed = false;
  };

  static constexpr std::uint32_t kAnyFile = ~0u;  // the name of every file

  std::uint32_t name_of(const ScheduleView& view, ResourceId lock) {
    return view.resource(lock).kind == model::ResourceKind::descriptor ? kAnyFile : resources_(view, lock);
  }
  OperationId go_for_ring(const ScheduleView& view);
  bool stays(const ScheduleView& view, OperationId id);
  void predict();
  void extend(Ring& ring);
  void remember(const ScheduleView& view, OperationId who);
  static bool waits_for(const Pair& one, const Pair& other);
  bool can_join(const Ring& ring, const Pair& pair) const;
  std::size_t next_target() const;

  OperationNames operations_;
  ResourceNames resources_;
  HeldLocks held_;
  Interned pair_names_;
  CommonVector<Pair> pairs_;
  CommonVector<Ring> rings_;
  std::size_t looked_at_ = 0;   // the number of pairs_ searched
  std::uint32_t looks_ = 0;     // search steps after this execution
  std::size_t next_ = kNone;    // the ring to try next
  std::size_t target_ = kNone;  // the ring that this execution targets
  bool is_tried_ = false;       // this execution has made a choice towards the target
  bool looks_on_ = false;       // another strategy decides
  RacePrediction races_;
  bool goes_for_race_ = false;
};

}  // namespace heddle::strategy
