// One thread of the pool: what it is to run, what it has counted, and where it sleeps.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "actor/production/machine.hpp"
#include "actor/production/parking.hpp"
#include "actor/production/ring.hpp"
#include "base/random.hpp"

namespace heddle::actor {

class Crew;

/// Counters that only grow. Each worker has its own and is the only one that writes them; threads outside the pool
/// share one.
///
/// Nothing runs when as many have come to rest as were woken. A reader that sums all `rested` first and all `woken`
/// after that, and finds the sums equal, knows that there was such a moment in between: `rested` cannot exceed `woken`.
struct alignas(64) Tally {
  std::atomic<std::uint64_t> woken{0};   // machines created or woken, and one-shot timers started
  std::atomic<std::uint64_t> rested{0};  // machines at rest or halted, and timers fired or stopped
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> refused{0};  // by full inboxes
};

/// How long things take on a worker, in nanoseconds.
struct Pace {
  std::int64_t stint = 0;  // a ready machine waits for that, times the number of those before it; 0: not known
  std::int64_t event = 0;  // to handle or send one
};

class alignas(64) Worker {
 public:
  Worker(Crew& the_crew, std::uint32_t the_index, std::uint64_t seed)
      : crew(the_crew), index(the_index), random(seed) {}

  void count(std::atomic<std::uint64_t> Tally::*what) noexcept {
    std::atomic<std::uint64_t>& counter = tally.*what;
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Events handled and sent, to measure how much of a turn is used up.
  std::uint64_t work() const noexcept { return steps_ + tally.sent.load(std::memory_order_relaxed); }
  void count_step() noexcept { ++steps_; }

  /// The machine that the running one woke last, so that a question and its answer stay on one processor. Other workers
  /// take it only from a worker that is stuck.
  ProductionMachine* exchange_next(ProductionMachine* one) noexcept {
    ProductionMachine* const last = next_.load(std::memory_order_relaxed);
    if (last == nullptr) {  // only the owner puts a machine there
      if (one != nullptr) next_.store(one, std::memory_order_release);
      return nullptr;
    }
    return next_.exchange(one, std::memory_order_acq_rel);
  }
  ProductionMachine* steal_next() noexcept {
    return next_.load(std::memory_order_relaxed) == nullptr ? nullptr
                                                            : next_.exchange(nullptr, std::memory_order_acq_rel);
  }
  bool has_next() const noexcept { return next_.load(std::memory_order_relaxed) != nullptr; }

  // Where the events of the current turn went.
  void begin_turn(ProductionAddress& of) noexcept {
    if (of.runner.load(std::memory_order_relaxed) != this) of.runner.store(this, std::memory_order_relaxed);
    sent_at_turn_ = tally.sent.load(std::memory_order_relaxed);
    sent_away_ = 0;
  }
  /// An event was put into the mailbox of a machine that runs or is ready.
  void note_sent(const ProductionAddress& to) noexcept {
    Worker* const runner = to.runner.load(std::memory_order_relaxed);
    if (runner == this || runner == nullptr) return;
    away_ = runner;
    ++sent_away_;
  }
  /// The worker that runs machines to which most events of the turn were sent; null: they stayed here.
  Worker* away() const noexcept {
    return 2 * sent_away_ > tally.sent.load(std::memory_order_relaxed) - sent_at_turn_ ? away_ : nullptr;
  }

  /// Any thread may call it: the machine is to run on this worker.
  void give(ProductionMachine& one) noexcept {
    ProductionMachine* first = given_.load(std::memory_order_relaxed);
    do one.next_ready = first;
    while (!given_.compare_exchange_weak(first, &one, std::memory_order_seq_cst, std::memory_order_relaxed));
  }
  bool has_been_given() const noexcept { return given_.load(std::memory_order_seq_cst) != nullptr; }
  /// All that have been given, linked, the last one first; null: none.
  ProductionMachine* take_given() noexcept {
    return given_.load(std::memory_order_relaxed) == nullptr ? nullptr
                                                             : given_.exchange(nullptr, std::memory_order_acquire);
  }

  Crew& crew;
  const std::uint32_t index;
  Ring<ProductionMachine> ring;
  Tally tally;
  Parking parking;
  std::atomic<std::uint64_t> turns{0};  // machines run; unchanged for a while: stuck in an action
  Random random;
  /// The number of ready machines that are better left to this worker: others take some only if there are more.
  std::atomic<std::uint64_t> keeps{0};
  std::uint32_t favours = 0;       // turns in a row given to `next`
  std::uint64_t stints = 0;        // machines taken from ring or queue, each with the turns of `next` that followed
  Pace pace;                       // in the last sample; unknown after a sleep
  std::uint64_t next_sample = 1;   // at which of its turns it reads the clock again
  std::uint64_t sample_after = 1;  // that many turns later
  std::uint64_t work_at_sample = 0;
  std::uint64_t stints_at_sample = 0;
  std::int64_t clock_at_sample = 0;  // nanoseconds
  std::uint64_t watched_turns = 0;   // as the watcher last saw it
  const Worker* gave_to = nullptr;   // the worker that it gave a machine last
  std::uint64_t gave_at = 0;         // and the turn that that one was in
  std::thread thread;

 private:
  std::uint64_t steps_ = 0;
  std::uint64_t sent_at_turn_ = 0;
  std::uint64_t sent_away_ = 0;
  Worker* away_ = nullptr;
  alignas(64) std::atomic<ProductionMachine*> next_{nullptr};
  std::atomic<ProductionMachine*> given_{nullptr};
};

}  // namespace heddle::actor
