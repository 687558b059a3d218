// The base class of every machine: what its actions can do.
//
// An action runs to its end before its machine takes another event; other machines run meanwhile. `raise`, `go_to`,
// `push`, `pop` and `halt` decide what happens when the action has ended, so an action calls at most one of them.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "heddle/actor/declaration.hpp"
#include "heddle/actor/event.hpp"
#include "heddle/actor/task.hpp"

namespace heddle {

/// Names a timer that was started, so that it can be stopped.
struct TimerId {
  std::uint32_t number = 0;  // 0: no timer
};

namespace actor {

class Table;
class System;
class Choices;

/// Checks a declaration and makes a dense table of it. There is one per class.
const Table& make_table(Declared declared, HashFunction hash);

template <typename M>
std::uint64_t hash_machine(const void* object) {
  return static_cast<const M&>(*static_cast<const Machine*>(object)).hash();
}

template <typename M>
const Table& table_of() {
  static_assert(std::is_base_of_v<Machine, M>, "heddle: a machine is derived from heddle::Machine");
  static const Table& table = [&]() -> const Table& {
    Declared declared;
    declared.name = short_name(full_name<M>());
    Declaration<M> declaration(declared);
    M::declare(declaration);
    if constexpr (HasHash<M>)
      return make_table(std::move(declared), hash_machine<M>);
    else
      return make_table(std::move(declared), nullptr);
  }();
  return table;
}

/// What an action wants to happen when it has ended.
enum class Wish : std::uint8_t { none, raise, go_to, push, pop, halt };

/// Makes the object of a machine that has been added to a runtime.
struct Factory {
  Machine* (*make)(void* arguments);
  void* arguments;
};
MachineId create(System& system, MachineCore* creator, const Table& table, std::string_view name, Factory factory,
                 const void* place);

template <typename M, typename... As>
[[gnu::always_inline]] inline MachineId create_machine(System& system, MachineCore* creator, std::string_view name,
                                                       As&&... arguments) {
  static_assert(std::is_constructible_v<M, As&&...>, "heddle: no constructor of the machine takes these arguments");
  auto make = [&]() -> Machine* { return new M(std::forward<As>(arguments)...); };
  using Make = decltype(make);
  return create(system, creator, table_of<M>(), name,
                {[](void* packed) { return (*static_cast<Make*>(packed))(); }, &make}, __builtin_return_address(0));
}

void* allocate_event(System& system, std::size_t bytes);

template <typename E>
[[gnu::always_inline]] inline EventBox* box_event(System& system, E&& event) {
  using Event = std::remove_cvref_t<E>;
  check_event<Event>();
  return new (allocate_event(system, sizeof(Boxed<Event>))) Boxed<Event>(std::forward<E>(event));
}

void tell(System& system, const TypeInfo& monitor, const EventType& type, const void* event);

}  // namespace actor

class Machine {
 public:
  Machine() = default;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  virtual ~Machine() = default;

 protected:
  MachineId self() const;

  template <typename M, typename... As>
  MachineId create(As&&... arguments) {
    return actor::create_machine<M>(system(), core_, {}, std::forward<As>(arguments)...);
  }
  template <typename M, typename... As>
  MachineId create_named(std::string_view name, As&&... arguments) {
    return actor::create_machine<M>(system(), core_, name, std::forward<As>(arguments)...);
  }

  /// Puts the event into the inbox of `to`. Events from one machine to another arrive in the order they were sent.
  template <typename E>
  [[gnu::always_inline]] void send(MachineId to, E&& event, SendOptions options = {}) {
    send_box(to, actor::box_event(system(), std::forward<E>(event)), options);
  }

  /// Handles the event next, before any in the inbox.
  template <typename E>
  void raise(E&& event) {
    wish(actor::Wish::raise, nullptr, actor::box_event(system(), std::forward<E>(event)));
  }
  template <typename S>
  void go_to() {
    wish(actor::Wish::go_to, &actor::type_info<S>, nullptr);
  }
  template <typename S>
  void push() {
    wish(actor::Wish::push, &actor::type_info<S>, nullptr);
  }
  void pop() { wish(actor::Wish::pop, nullptr, nullptr); }
  /// Ends this machine: it takes no more events, and its object is destroyed.
  void halt() { wish(actor::Wish::halt, nullptr, nullptr); }

  /// Await this in an action that returns heddle::Task. Gives the event if one type is named, else a std::variant.
  template <typename... Es>
  actor::ReceiveAny<Es...> receive() {
    static_assert(sizeof...(Es) > 0, "heddle: receive<A, B>() names the events that it waits for");
    (actor::check_event<Es>(), ...);
    return {core(), When<Es>{}...};
  }
  template <typename... Es>
  requires(sizeof...(Es) > 0) actor::ReceiveAny<Es...> receive(When<Es>... of) { return {core(), std::move(of)...}; }

  /// Sends the event to this machine after the delay; under test, whenever the strategy decides.
  template <typename E>
  TimerId start_timer(std::chrono::nanoseconds delay, E&& event) {
    return start_timer_box(delay, std::chrono::nanoseconds{0}, actor::box_event(system(), std::forward<E>(event)));
  }
  /// Sends a copy of the event again and again. Runtime::wait does not wait for this timer.
  template <typename E>
  TimerId start_periodic_timer(std::chrono::nanoseconds delay, std::chrono::nanoseconds period, E&& event) {
    static_assert(std::copy_constructible<std::remove_cvref_t<E>>, "heddle: the event of a periodic timer is copied");
    return start_timer_box(delay, period, actor::box_event(system(), std::forward<E>(event)));
  }
  void stop_timer(TimerId timer);

  /// Returns one of 0 … bound-1; in production at random.
  std::uint32_t choose(std::uint32_t bound);
  bool choose_bool() { return choose(2) == 1; }
  /// Returns an element of a range that is not empty.
  template <std::ranges::forward_range R>
  decltype(auto) choose_of(R&& range) {
    const auto size = static_cast<std::uint32_t>(std::ranges::distance(range));
    return *std::ranges::next(std::ranges::begin(range), choose(size));
  }
  /// Returns whether an action that can fail should fail here. In production: false.
  bool inject_failure();

  void log(std::string_view text);

  /// Gives the event to the monitor, which handles it at once. No effect if the runtime does not have the monitor.
  template <typename Spec, typename E>
  void tell(const E& event) {
    actor::check_event<E>();
    actor::tell(system(), actor::type_info<Spec>, actor::event_type<E>, &event);
  }

  /// If the condition is false: a failure that names machine, state and event.
  void require(bool condition, std::string_view message) {
    if (!condition) [[unlikely]]
      violated(message);
  }

  // Hooks.
  virtual void on_halt() {}
  /// Called for each event that is dropped because this machine halts with it in its inbox.
  virtual void on_event_dropped(const AnyEvent&) {}

 private:
  friend class actor::MachineCore;
  friend class actor::Choices;

  actor::MachineCore& core() const;  // throws ActorError before the machine is started, as in its constructor
  actor::System& system() const;
  void send_box(MachineId to, actor::EventBox* box, SendOptions options);
  void wish(actor::Wish what, const actor::TypeInfo* state, actor::EventBox* box);
  TimerId start_timer_box(std::chrono::nanoseconds delay, std::chrono::nanoseconds period, actor::EventBox* box);
  void violated(std::string_view message);

  actor::MachineCore* core_ = nullptr;
};

}  // namespace heddle
