// Tests one machine alone: gives it events and shows what it does. There are no threads and no exploration.
//
//   heddle::TestKit<Replica> kit(arguments…);        // the machine has entered its start state
//   kit.send(Prepare{kit.peer(), 3});                // handled at once, with everything that follows
//   EXPECT_TRUE(kit.is_in<Replica::Prepared>());
//   EXPECT_TRUE(kit.sent<Vote>(0)->yes);
//
// Events that the machine sends are kept, not delivered. Machines that it creates exist but never run. Timers fire when
// the test says so, choices come from a list, and failures are kept.
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
  /// A machine to name in events; events sent to it are kept.
  MachineId peer();
  /// The machine handles the event at once, unless it defers the event or has halted.
  template <typename E>
  void send(E&& event) {
    give(actor::box_event(system(), std::forward<E>(event)));
  }
  /// What the next calls of choose and inject_failure return, in order; after that they return 0.
  void set_choices(std::vector<std::uint32_t> choices);
  /// Fires the running timer that was started first. Returns false if none runs.
  bool fire_timer();
  std::size_t running_timers() const;

  template <typename S>
  bool is_in() const {
    return is_in_state(actor::type_info<S>);
  }
  std::string_view state() const;
  std::size_t state_depth() const;  // 1: nothing is pushed
  std::size_t inbox_size() const;   // events that it defers or does not wait for
  bool is_receiving() const;        // one of its tasks waits
  bool has_halted() const;
  const std::vector<Failure>& failures() const;

  /// The number of events that it sent, except to itself.
  std::size_t sent_count() const;
  MachineId sent_to(std::size_t index) const;
  std::string_view sent_name(std::size_t index) const;
  /// Null if there is no such event, or if it is of another type.
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
  /// Must not be called after the machine has halted.
  M& machine() { return static_cast<M&>(*object()); }
};

}  // namespace heddle
