// The threads that run machines. Each has a ring of ready machines, and takes from another ring when its own is empty.
//
// A machine woken by a running machine runs next on the same worker, and pushes the machine that was to run next into
// the ring. Machines woken by outside threads, and those that do not fit into a full ring, go into one shared queue.
// Every worker checks it now and then and when its own ring is empty.
//
// What is one conversation should stay on one processor, and what is many should use all. An event that is sent from
// one processor and handled on another costs some tens of nanoseconds more, for the cache lines of the event and of the
// machine: as much as the smallest events take in all. Waking a worker costs microseconds. So ready machines are left
// to the worker that woke them until they would wait there for long: ten microseconds, if events take so long that the
// lines do not count; if not, a quarter of a millisecond, which takes hundreds of machines that do next to nothing (a
// hundred that talk to one wait for less than 0.1 ms). Each worker measures its pace and states how many machines it
// keeps (`Worker::keeps`). And a machine whose turn went by with sending to another processor goes on there, if its
// events are as small as that.
//
// A worker without work searches for a short while and then sleeps. One sleeper, the watcher, wakes every millisecond
// while others work, in case the pace has changed, or a worker is stuck in an action with machines to run.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "actor/production/machine.hpp"
#include "actor/production/worker.hpp"

namespace heddle::actor {

class Crew {
 public:
  /// `run` gives a machine its turn; `slack` is called when a worker is about to sleep.
  Crew(std::uint32_t threads, std::uint64_t seed, std::function<void(Worker&, ProductionMachine&)> run,
       std::function<void()> slack);
  ~Crew() { stop(); }

  /// The calling thread's worker, if it belongs to this crew.
  Worker* here() const noexcept {
    Worker* const worker = current;
    return worker != nullptr && &worker->crew == this ? worker : nullptr;
  }

  /// The machine was woken by `here`, or by an outside thread (null): it runs soon.
  void ready(Worker* here, ProductionMachine& machine) {
    if (here == nullptr) return ready_outside(machine);
    ProductionMachine* const displaced = here->exchange_next(&machine);
    if (displaced != nullptr) return later(*here, *displaced);
    if (sleeping_.load(std::memory_order_seq_cst) != 0 && !is_watched_.load(std::memory_order_seq_cst)) [[unlikely]]
      wake_one();
  }
  /// The machine has used up its turn on `here`, and runs again after all other ready machines have had theirs.
  void go_on(Worker& here, ProductionMachine& machine);

  /// Ends the threads; ready machines stay ready.
  void stop();
  bool is_stopping() const noexcept { return is_stopping_.load(std::memory_order_relaxed); }
  const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }

 private:
  /// Machines that no worker has yet, linked through themselves.
  class Queue {
   public:
    bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }
    void put(ProductionMachine* first, ProductionMachine* last, std::uint32_t count);
    /// Takes one, and moves a share of the rest into the ring.
    ProductionMachine* take(Worker& by, std::uint32_t share_of);

   private:
    std::mutex mutex_;
    ProductionMachine* first_ = nullptr;
    ProductionMachine* last_ = nullptr;
    std::atomic<std::uint32_t> size_{0};
  };

  void later(Worker& here, ProductionMachine& machine);
  void hand_over(Worker& to, ProductionMachine& machine);
  void unpack_given(Worker& worker);
  void live(Worker& worker);
  ProductionMachine* next(Worker& worker);
  ProductionMachine* search(Worker& worker);
  ProductionMachine* steal(Worker& thief);
  bool rescue(Worker& watcher);
  bool sleep(Worker& worker);
  void lie(Worker& worker);
  void get_up(Worker& worker);
  bool is_work_around() const;
  static bool has_to_share(const Worker& worker);
  void ready_outside(ProductionMachine& machine);
  void overflow(Worker& here, ProductionMachine& machine);
  void offer(Worker& here);
  void wake_one();
  static void sample(Worker& worker, std::uint64_t turns);
  static void forget_pace(Worker& worker);

  static thread_local constinit Worker* current;

  const std::function<void(Worker&, ProductionMachine&)> run_;
  const std::function<void()> slack_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Queue queue_;
  alignas(64) std::atomic<std::uint32_t> searching_{0};  // awake without work, including those woken to search
  std::atomic<std::uint32_t> sleeping_{0};
  std::atomic<bool> is_watched_{false};
  std::atomic<bool> is_stopping_{false};
};

}  // namespace heddle::actor
