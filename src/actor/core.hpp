// One machine: the interpreter, its inbox, and what it waits for. Driven by a backend, by one thread at a time.
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
  /// `address` null: it has one of its own, which goes with it.
  MachineCore(System& system, const Table& table, std::string_view name, std::uint32_t number,
              Address* address = nullptr);
  virtual ~MachineCore();

  System& system() const { return system_; }
  MachineId id() { return address_.id(number_, table().name()); }
  std::uint32_t number() const { return number_; }
  Machine* object() const { return object_.get(); }
  void set_object(Machine* object);
  /// Null: the id is nobody's, or in production that of one that has gone. To be asked only of one that cannot go.
  static MachineCore* of(MachineId id) { return Address::of(id) != nullptr ? Address::of(id)->machine : nullptr; }
  static MachineCore* of(const Machine& machine) { return machine.core_; }

  // For the backend.
  /// Enters the start state.
  void start();
  /// Takes the first event of the inbox that the state does not defer, or that its task waits for, and handles it with
  /// all that follows. False: there is none, or it has halted.
  bool step();
  void deliver(EventBox* box);
  /// What becomes of an event that comes now, while the machine stands idle.
  Does judge(const EventBox& box) const;
  /// Is there an idle action that has not run since something was taken or the state changed?
  bool wants_idle() const { return !was_idle_ && !has_halted() && !is_suspended() && table().state(top()).idle; }
  void idle();
  bool has_halted() const { return is_halted(); }
  /// A task of it waits in `receive`; null: none does.
  const Receive* receiving() const { return receiving_; }
  Inbox& inbox() { return inbox_; }
  std::uint64_t events_handled() const { return events_handled_.load(std::memory_order_relaxed); }
  std::uint64_t events_dropped() const { return events_dropped_.load(std::memory_order_relaxed); }
  /// What is wrong if so many of a type are in the inbox and SendOptions::at_most were to be there.
  std::string too_many(const EventType& type, std::uint32_t count, std::uint32_t at_most) const;
  /// An event for it when it has halted.
  void drop(EventBox* box);
  void count_dropped() noexcept { events_dropped_.fetch_add(1, std::memory_order_relaxed); }
  /// Everything in the inbox is dropped and counted.
  void drop_all();
  /// State, inbox and what the machine shows of itself.
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
  EventBox* current_ = nullptr;  // out of the inbox, being handled
  Receive* receiving_ = nullptr;
  EventBox* passed_ = nullptr;  // it and all before it wait for another state, or for another `receive`
  std::atomic<std::uint64_t> events_handled_{0};
  std::atomic<std::uint64_t> events_dropped_{0};
  std::uint64_t stack_hash_ = 0;
  bool was_idle_ = false;
};

}  // namespace heddle::actor
