// One machine: the interpreter, its inbox, and what it waits for. A backend drives it, on one thread at a time.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "actor/address.hpp"
#include "actor/inbox.hpp"
#include "actor/interpreter.hpp"
#include "actor/system.hpp"
#include "heddle/actor/machine.hpp"

namespace heddle::actor {

class MachineCore : public Interpreter {
 public:
  /// `address` null: the machine has its own, which is destroyed with it.
  MachineCore(System& system, const Table& table, std::string_view name, std::uint32_t number,
              Address* address = nullptr);
  virtual ~MachineCore();

  System& system() const { return system_; }
  MachineId id() { return address_.id(number_, table().name()); }
  std::uint32_t number() const { return number_; }
  Machine* object() const { return object_.get(); }
  void set_object(Machine* object);
  /// Null: the id refers to no machine or, in production, to one that is gone. Call it only for a machine that cannot
  /// be destroyed meanwhile.
  static MachineCore* of(MachineId id) { return Address::of(id) != nullptr ? Address::of(id)->machine : nullptr; }
  static MachineCore* of(const Machine& machine) { return machine.core_; }

  // For the backend.
  /// Enters the start state.
  void start();
  /// Takes the first event of the inbox that the state does not defer, or that its task waits for, and handles it and
  /// everything that follows from it. False: there is no such event, or the machine has halted.
  bool step();
  void deliver(EventBox* box);
  /// What happens to an event that arrives now, while the machine is idle.
  Does judge(const EventBox& box) const;
  /// Is there an idle action that has not run since an event was taken or the state changed?
  bool wants_idle() const { return !was_idle_ && !has_halted() && !is_suspended() && table().state(top()).idle; }
  void idle();
  bool has_halted() const { return is_halted(); }
  /// The `receive` in which a task of the machine waits; null: none.
  const Receive* receiving() const { return receiving_; }
  Inbox& inbox() { return inbox_; }
  std::uint64_t events_handled() const { return events_handled_.load(std::memory_order_relaxed); }
  std::uint64_t events_dropped() const { return events_dropped_.load(std::memory_order_relaxed); }
  /// The error message if the inbox holds `count` events of a type and SendOptions::at_most allows `at_most`.
  std::string too_many(const EventType& type, std::uint32_t count, std::uint32_t at_most) const;
  /// Drops an event for this machine after it has halted.
  void drop(EventBox* box);
  void count_dropped() noexcept { events_dropped_.fetch_add(1, std::memory_order_relaxed); }
  /// Drops and counts everything in the inbox.
  void drop_all();
  /// A hash of the state, the inbox and what the machine exposes of itself.
  std::uint64_t observed(bool inbox_only) const;

  // For Machine.
  bool begin_receive(Receive& receive);
  void violated(std::string_view message);
  void log(LogRecord::What what, std::string_view event = {}, std::string_view text = {}, MachineId other = {});

  /// `Replica(3)`, `Replica(3) "left"`
  std::string who() const override;

 private:
  void failed(FailureKind kind, const std::string& what) override;
  void release(EventBox* box) noexcept override { system_.release(box); }
  void changed(LogRecord::What how, StateIndex state) override;
  void raised(const EventType& type) override { log(LogRecord::What::raised, type.name); }
  void halted() override;
  void handled() noexcept override;
  void threw(const std::string& what) override { log(LogRecord::What::exception, {}, what); }
  bool take_for_task();
  void take_received(EventBox& box);
  EventBox* next_event();
  EventBox* find_received(const Receive& receive);
  void count_handled() noexcept {
    events_handled_.store(events_handled_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }

  System& system_;
  Address own_address_;
  Address& address_;
  const std::string name_;
  const std::uint32_t number_;
  std::unique_ptr<Machine> object_;
  Inbox inbox_;
  EventBox* current_ = nullptr;  // taken from the inbox, being handled
  Receive* receiving_ = nullptr;
  EventBox* passed_ = nullptr;  // it and all events before it wait for another state or another `receive`
  std::atomic<std::uint64_t> events_handled_{0};
  std::atomic<std::uint64_t> events_dropped_{0};
  std::uint64_t stack_hash_ = 0;
  bool was_idle_ = false;
};

}  // namespace heddle::actor
