// Machines on a pool of threads.
//
// The sender that puts the first event into a machine's mailbox wakes the machine. The machine gets a turn of a bounded
// number of events on some worker, and goes to the back of the queue if more remain. So it runs on one thread at a
// time, and no thread waits for it. The mailbox and the queues hand its state from worker to worker.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "actor/backend.hpp"
#include "actor/production/bounds.hpp"
#include "actor/production/crew.hpp"
#include "actor/production/machine.hpp"
#include "actor/production/population.hpp"
#include "actor/production/timers.hpp"

namespace heddle::actor {

class ProductionBackend final : public Backend {
 public:
  explicit ProductionBackend(const RuntimeOptions& options);
  ~ProductionBackend() override;

  void* allocate(std::size_t bytes) override;
  void release(void* block, std::size_t bytes) noexcept override;
  void before_create(MachineCore*, const void*) override {}
  MachineCore& enroll(System& system, const Table& table, std::string_view name) override;
  void begin(MachineCore& machine) override;
  void send(MachineCore* from, MachineId to, EventBox* box, const SendOptions& options, const void* place) override;
  std::uint32_t choose(MachineCore&, std::uint32_t bound, bool is_failure) override;
  TimerId start_timer(MachineCore& of, std::chrono::nanoseconds delay, std::chrono::nanoseconds period,
                      EventBox* box) override;
  void stop_timer(MachineCore& of, TimerId timer) override;
  void halting(MachineCore& machine) override;
  void halted(MachineCore& machine) override;
  void fail(FailureKind kind, const std::string& message) override;
  void enter(MonitorCore& monitor) override;
  void leave(MonitorCore& monitor) override;
  void wait() override;
  void end(bool drops) override;
  void for_each(const std::function<void(MachineCore&)>& function) override;
  Metrics metrics() const override;

 private:
  void run(Worker& here, ProductionMachine& machine);
  void post(Worker* here, ProductionMachine* from, MachineId to, EventBox* box, bool is_timer);
  void drop(MachineId to, EventBox* box);
  void refuse(MachineId to, EventBox* box);
  void fire(MachineId of, EventBox* box, bool is_last);
  void stopped(const Timer& timer);
  void ready_all(ProductionMachine* first);
  void count(Worker* here, std::atomic<std::uint64_t> Tally::*what) noexcept {
    if (here != nullptr)
      here->count(what);
    else
      (outside_.*what).fetch_add(1, std::memory_order_acq_rel);
  }
  std::uint64_t sum(std::atomic<std::uint64_t> Tally::*what) const;
  bool is_quiet() const { return sum(&Tally::rested) == sum(&Tally::woken); }  // in this order: see Tally
  void tell_waiting();
  void refuse_workers(const char* what) const;

  const RuntimeOptions options_;
  const std::uint64_t seed_;
  Bounds bounds_;
  Population population_;
  std::atomic<std::uint64_t> machines_halted_{0};
  std::atomic<std::uint64_t> dropped_{0};  // sent to machines that were gone
  std::atomic<std::uint64_t> failures_{0};
  Tally outside_;
  std::mutex random_mutex_;
  Random random_;  // for threads outside the pool

  std::mutex quiet_mutex_;
  std::condition_variable quiet_;
  std::atomic<std::uint32_t> waiting_{0};  // threads in wait()
  std::atomic<bool> has_ended_{false};

  Timers timers_;
  Crew crew_;
};

}  // namespace heddle::actor
