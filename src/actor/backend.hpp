// What runs machines: the strategy of an exploration (controlled/), a pool of threads (production/), or a test that
// drives a single machine. The core (MachineCore) knows the rules but no threads; a backend decides when it steps.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

#include "heddle/actor/event.hpp"
#include "heddle/actor/machine.hpp"
#include "heddle/actor/runtime.hpp"

namespace heddle::actor {

/// Owns the cores of its machines and destroys them before itself, because they return their blocks to it.
class Backend {
 public:
  static constexpr std::uint64_t kNever = ~0ull;

  virtual ~Backend() = default;

  /// Blocks for events; any thread that runs a machine may allocate and free them.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* block, std::size_t bytes) noexcept = 0;

  /// Called before a machine is created.
  virtual void before_create(MachineCore* creator, const void* place) = 0;
  /// A core of the backend's own class, numbered from 1 in order of creation, kept until the backend is destroyed.
  virtual MachineCore& enroll(System& system, const Table& table, std::string_view name) = 0;
  /// The machine has its object and may run from now on. The backend calls its `start` once, and then `step`.
  virtual void begin(MachineCore& machine) = 0;

  /// Takes ownership of the block, and calls the system's `log_sent` when the event is put. `from` null: the sender is
  /// the body or a thread of the program.
  virtual void send(MachineCore* from, MachineId to, EventBox* box, const SendOptions& options, const void* place) = 0;

  virtual std::uint32_t choose(MachineCore& who, std::uint32_t bound, bool is_failure) = 0;
  /// Sends to `of` after `delay`; period 0: once. Takes ownership of the block.
  virtual TimerId start_timer(MachineCore& of, std::chrono::nanoseconds delay, std::chrono::nanoseconds period,
                              EventBox* box) = 0;
  virtual void stop_timer(MachineCore& of, TimerId timer) = 0;
  /// A machine is about to drop its inbox: no more events arrive.
  virtual void halting(MachineCore&) {}
  /// A machine has halted: its timers stop, and it takes no more events.
  virtual void halted(MachineCore& machine) = 0;

  /// Does the backend itself need the log? It does when the run is recorded as a trace.
  virtual bool is_logging() const { return false; }
  virtual void log(const LogRecord&) {}

  /// Does not return under test. In production it returns, and the machine halts.
  virtual void fail(FailureKind kind, const std::string& message) = 0;

  /// Called around a monitor's handling of an event, which is done one at a time.
  virtual void enter(MonitorCore&) {}
  virtual void leave(MonitorCore&) {}
  /// Steps of the execution so far, and how many of them a monitor may be hot.
  virtual std::uint64_t steps() const { return 0; }
  virtual std::uint64_t temperature_max() const { return kNever; }

  virtual void wait() = 0;
  /// Called after `wait`, or in its place: nothing runs any more.
  virtual void end(bool drops) = 0;
  virtual void for_each(const std::function<void(MachineCore&)>& function) = 0;
  virtual Metrics metrics() const = 0;
};

/// Null: the caller is not in an exploration.
std::unique_ptr<Backend> make_controlled_backend(const RuntimeOptions& options);
std::unique_ptr<Backend> make_production_backend(const RuntimeOptions& options);

}  // namespace heddle::actor
