// Drives one machine alone: gives it events, and looks at what it does. No threads, no exploration.
//
//   heddle::TestKit<Replica> kit(arguments…);        // started: its start state is entered
//   kit.send(Prepare{kit.peer(), 3});                // handled at once, with all that follows
//   EXPECT_TRUE(kit.is_in<Replica::Prepared>());
//   EXPECT_TRUE(kit.sent<Vote>(0)->yes);
//
// What the machine sends is kept, not delivered; what it creates is made but never runs. Timers fire when told to,
// choices come from a list, and failures are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heddle/actor/event.hpp"
#include "heddle/actor/machine.hpp"
#include "heddle/actor/runtime.hpp"

namespace heddle {

/// The parts that do not depend on the machine.
class TestKitBase {
 public:
  TestKitBase(const TestKitBase&) = delete;
  TestKitBase& operator=(const TestKitBase&) = delete;
  ~TestKitBase();

  MachineId id() const { return id_; }
  /// Somebody to be named in events; what is sent to it is kept.
  MachineId peer();
  /// Handled at once, unless the machine defers it or has halted.
  template <typename E>
  void send(E&& event) {
    give(actor::box_event(system(), std::forward<E>(event)));
  }
  /// What the next calls of choose and inject_failure give, in order; then 0.
  void set_choices(std::vector<std::uint32_t> choices);
  /// The timer that was started first and still runs fires. False: none runs.
  bool fire_timer();
  std::size_t running_timers() const;

  template <typename S>
  bool is_in() const {
    return is_in_state(actor::type_info<S>);
  }
  std::string_view state() const;
  std::size_t state_depth() const;  // 1: nothing is pushed
  std::size_t inbox_size() const;   // what it defers, or does not wait for
  bool is_receiving() const;        // a task of it waits
  bool has_halted() const;
  const std::vector<Failure>& failures() const;

  /// Events that it sent, to itself not counted.
  std::size_t sent_count() const;
  MachineId sent_to(std::size_t index) const;
  std::string_view sent_name(std::size_t index) const;
  /// Null: there is no such event, or it is of another type.
  template <typename E>
  const E* sent(std::size_t index) const {
    return static_cast<const E*>(sent_value(index, actor::event_type<E>));
  }
  void forget_sent();

 protected:
  TestKitBase();
  void start(const actor::Table& table, actor::Factory factory);
  Machine* object() const;

 private:
  actor::System& system();
  void give(actor::EventBox* box);
  bool is_in_state(const actor::TypeInfo& state) const;
  const void* sent_value(std::size_t index, const actor::EventType& type) const;

  struct Inside;
  std::unique_ptr<Inside> inside_;
  MachineId id_;
};

template <typename M>
class TestKit : public TestKitBase {
 public:
  template <typename... As>
  explicit TestKit(As&&... arguments) {
    auto make = [&]() -> Machine* { return new M(std::forward<As>(arguments)...); };
    using Make = decltype(make);
    start(actor::table_of<M>(), {[](void* packed) { return (*static_cast<Make*>(packed))(); }, &make});
  }
  /// Not after it has halted.
  M& machine() { return static_cast<M&>(*object()); }
};

}  // namespace heddle
