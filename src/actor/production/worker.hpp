// One thread of the pool: what it is to run, what it has counted, and where it sleeps.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "actor/production/parking.hpp"
#include "actor/production/ring.hpp"
#include "base/random.hpp"

namespace heddle::actor {

class ProductionMachine;
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

  Crew& crew;
  const std::uint32_t index;
  Ring<ProductionMachine> ring;
  Tally tally;
  Parking parking;
  std::atomic<std::uint64_t> turns{0};  // machines run; unchanged for a while: stuck in an action
  Random random;
  std::uint32_t favours = 0;          // turns in a row given to `next`
  std::uint64_t turns_at_sample = 0;  // when it last read the clock
  std::int64_t clock_at_sample = 0;   // nanoseconds
  std::int64_t turn_ns = 1'000'000;   // approximate duration of a turn; long until it is known
  std::uint64_t watched_turns = 0;    // as the watcher last saw it
  std::thread thread;

 private:
  std::uint64_t steps_ = 0;
  alignas(64) std::atomic<ProductionMachine*> next_{nullptr};
};

}  // namespace heddle::actor
