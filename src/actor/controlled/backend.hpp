// Machines under the control of a strategy: each machine is an operation of the execution.
//
// The scheduling points are: before a machine is created, before an event is put into another machine's inbox, and
// before a machine that found nothing to take goes on. Taking an available event is not a scheduling point, because no
// other operation can observe it. A machine with nothing to take waits at its inbox until a sender puts an event there
// that its state takes. An event that the state defers leaves it waiting, and an event that it ignores is dropped
// immediately. Waiting machines count as servers: an execution can end without them.
//
// A waiting machine has nothing on a stack, as a task that waits has its frames in the heap. So it needs no thread
// until it goes on: `live` is called anew whenever the machine has something to do, and an execution needs as many
// threads as machines are in the middle of an action.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "actor/backend.hpp"
#include "actor/core.hpp"
#include "base/ids.hpp"
#include "engine/actors.hpp"

namespace heddle::actor {

struct ControlledTimer;

class ControlledMachine final : public MachineCore {
 public:
  using MachineCore::MachineCore;

  OperationId operation = kNoOperation;
  ResourceId inbox_resource = kNoResource;
  bool stands = false;  // at its inbox, with nothing to take
  bool has_started = false;
  ControlledTimer* timers = nullptr;  // that it has ever started, the last one first
};

class ControlledBackend;

struct ControlledTimer {
  ControlledBackend* backend;
  ControlledMachine* of;
  EventBox* box;
  std::uint64_t period_ns;  // 0: fires once
  ControlledTimer* next;    // of the same machine
  OperationId operation = kNoOperation;
  bool runs = true;
};

class ControlledBackend final : public Backend {
 public:
  ControlledBackend(const engine::Actors& engine, const RuntimeOptions& options);

  void* allocate(std::size_t bytes) override;
  void release(void* block, std::size_t bytes) noexcept override;
  void before_create(MachineCore* creator, const void* place) override;
  MachineCore& enroll(System& system, const Table& table, std::string_view name) override;
  void begin(MachineCore& machine) override;
  void send(MachineCore* from, MachineId to, EventBox* box, const SendOptions& options, const void* place) override;
  std::uint32_t choose(MachineCore& who, std::uint32_t bound, bool is_failure) override;
  TimerId start_timer(MachineCore& of, std::chrono::nanoseconds delay, std::chrono::nanoseconds period,
                      EventBox* box) override;
  void stop_timer(MachineCore& of, TimerId timer) override;
  void halted(MachineCore& machine) override;
  void fail(FailureKind kind, const std::string& message) override;
  bool is_logging() const override { return engine_.is_recording(); }
  void log(const LogRecord& record) override;
  void enter(MonitorCore& monitor) override { engine_.touch(&monitor); }
  std::uint64_t steps() const override { return engine_.steps(); }
  std::uint64_t temperature_max() const override { return temperature_max_; }
  void wait() override;
  void end(bool drops) override;
  void for_each(const std::function<void(MachineCore&)>& function) override;
  Metrics metrics() const override;

 private:
  using Timer = ControlledTimer;

  static void* run_machine(void* machine);
  static void* run_timer(void* timer);
  void live(ControlledMachine& machine);
  OperationId operation_of(MachineId id) const;
  void stand(ControlledMachine& machine);
  void put(ControlledMachine& to, EventBox* box);
  void one_less_busy();
  void stop(Timer& timer);
  void observe(const ControlledMachine& machine) {
    using strategy::MachinesShow;
    if (machines_show_ == MachinesShow::nothing) return;
    engine_.observe(machine.operation, machine.observed(machines_show_ == MachinesShow::inboxes));
  }
  void check_temperature(System& system) {
    if (system.overheats_at() != kNever && steps() >= system.overheats_at()) [[unlikely]]
      system.overheated();
  }

  const engine::Actors& engine_;
  std::uint64_t temperature_max_ = kNever;
  const strategy::MachinesShow machines_show_;
  std::vector<std::unique_ptr<ControlledMachine>> machines_;
  std::vector<std::unique_ptr<Timer>> timers_;
  std::vector<OperationId> waiting_;  // in wait()
  ResourceId quiet_ = kNoResource;    // what they wait for
  std::uint32_t busy_ = 0;            // machines that are not waiting at their inbox, and one-shot timers
  std::uint64_t events_sent_ = 0;
  std::uint64_t machines_halted_ = 0;
  bool has_ended_ = false;
};

}  // namespace heddle::actor
