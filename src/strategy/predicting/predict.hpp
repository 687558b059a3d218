// Predict and confirm: lock-order cycles that an execution did not close, and then one that does; accesses that raced
// in none, and then one in which they do (race_prediction.hpp).
//
// Whenever an operation takes a lock while it holds another, that pair is remembered. Pairs of different operations
// that make a ring (T1 holds A and takes B, T2 holds B and takes A) are a prediction: in another order they might wait
// for each other, unless two of them hold the same third lock, which keeps them apart. Locks are those of
// held_locks.hpp; two who read do not wait for each other. Which file is locked through a descriptor is not known, so
// all files are one lock, and who holds one and takes one is a pair. The next execution goes for one:
// each operation of the ring that comes to stand before its second lock with the first one held stays there, for as
// long as somebody else can go on; everything else is random. If the ring can close, it closes when the last one
// arrives, and the deadlock is reported like any other, because it has happened. A ring that does not close in three
// executions, because the order of the program forbids it, is given up.
//
// The lock graph is that of Goodlock (Havelund 2000); to make it true by holding operations back is the idea of
// DeadlockFuzzer (Joshi, Park, Sen and Naik, PLDI 2009). Rings come before races. Without a prediction to confirm it is
// a random walk.
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

  /// Around an execution that another strategy decides and that it only watches, for rings: to look for races it must
  /// have its say about the scheduling points.
  void begin_looking_on();
  void end_looking_on() { predict(); }

  /// Is there something to confirm?
  bool has_target() const { return next_ != kNone || races_.has_target(); }
  const RacePrediction& races() const { return races_; }

 private:
  static constexpr std::size_t kRingMax = 8;
  static constexpr std::uint32_t kTries = 3;
  static constexpr std::size_t kNone = ~std::size_t{0};
  static constexpr std::size_t kPairsMax = 4096;
  static constexpr std::size_t kTargetsMax = 4096;
  static constexpr std::uint32_t kLooksMax = 100'000;  // for rings, after one execution

  /// By names that hold from one execution to the next.
  struct Pair {
    std::uint32_t who = 0;
    std::uint32_t held = 0;
    std::uint32_t wanted = 0;
    std::array<std::uint32_t, HeldLocks::kLocks> holds{};  // at that moment, `held` among them; reading does not count
    std::uint32_t hold_count = 0;
    bool reads_held = false;
    bool reads_wanted = false;
  };
  struct Ring {
    std::array<std::uint32_t, kRingMax> pairs{};
    std::uint32_t size = 0;
    std::uint32_t tries = 0;
    bool closed = false;
  };

  static constexpr std::uint32_t kAnyFile = ~0u;  // a name

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
  std::size_t looked_at_ = 0;   // of pairs_
  std::uint32_t looks_ = 0;     // after this execution
  std::size_t next_ = kNone;    // the ring that is to be tried next
  std::size_t target_ = kNone;  // the one that this execution goes for
  bool is_tried_ = false;       // it has been asked to choose
  bool looks_on_ = false;       // another strategy decides
  RacePrediction races_;
  bool goes_for_race_ = false;
};

}  // namespace heddle::strategy
