// A specification: a small machine that watches. Machines tell it of events, and it handles each at once, as one step.
//
//   class Progress : public heddle::Monitor {
//     struct Waiting; struct Served;
//     static void declare(heddle::MonitorDeclaration<Progress>& is) {
//       is.state<Served>().start().cold().go_to<Waiting, Asked>();
//       is.state<Waiting>().hot().go_to<Served, Answered>();
//     }
//   };
//
// Safety: an action calls `require`. Liveness: in a hot state something is still owed. The temperature of the monitor
// grows with each step of the execution while its state is hot, is 0 in a cold state, and stays as it is in any other.
// The specification is violated if the temperature exceeds RuntimeOptions::temperature_max under a fair strategy, or if
// the state is hot when the runtime ends.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "heddle/actor/declaration.hpp"
#include "heddle/actor/event.hpp"
#include "heddle/actor/machine.hpp"

namespace heddle {

namespace actor {

class MonitorCore;

const Table& make_monitor_table(Declared declared);

}  // namespace actor

/// The lines of one state of a monitor.
class StateOfMonitor : public actor::CommonLines<Monitor, StateOfMonitor> {
 public:
  using CommonLines::CommonLines;

  StateOfMonitor& hot() {
    state_->heat = actor::Heat::hot;
    return *this;
  }
  StateOfMonitor& cold() {
    state_->heat = actor::Heat::cold;
    return *this;
  }
};

template <typename M>
class MonitorDeclaration {
 public:
  explicit MonitorDeclaration(actor::Declared& declared) : declared_(declared) {}

  template <typename S>
  StateOfMonitor state() {
    return StateOfMonitor(declared_.state(actor::type_info<S>, false));
  }
  template <typename G>
  StateOfMonitor group() {
    return StateOfMonitor(declared_.state(actor::type_info<G>, true));
  }
  template <typename Base>
  void extends() {
    static_assert(std::is_base_of_v<Base, M> && !std::is_same_v<Base, M>,
                  "heddle: a monitor extends a class that it is derived from");
    ++declared_.level;
    MonitorDeclaration<Base> base(declared_);
    Base::declare(base);
    --declared_.level;
  }

 private:
  actor::Declared& declared_;
};

class Monitor {
 public:
  Monitor() = default;
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  virtual ~Monitor() = default;

 protected:
  template <typename E>
  void raise(E&& event) {
    wish(actor::Wish::raise, nullptr, actor::box_event(system(), std::forward<E>(event)));
  }
  template <typename S>
  void go_to() {
    wish(actor::Wish::go_to, &actor::type_info<S>, nullptr);
  }
  void require(bool condition, std::string_view message) {
    if (!condition) [[unlikely]]
      violated(message);
  }

 private:
  friend class actor::MonitorCore;

  actor::System& system() const;
  void wish(actor::Wish what, const actor::TypeInfo* state, actor::EventBox* box);
  void violated(std::string_view message);

  actor::MonitorCore* core_ = nullptr;
};

namespace actor {

template <typename M>
const Table& monitor_table_of() {
  static_assert(std::is_base_of_v<Monitor, M>, "heddle: a specification is derived from heddle::Monitor");
  static const Table& table = [&]() -> const Table& {
    Declared declared;
    declared.name = short_name(full_name<M>());
    MonitorDeclaration<M> declaration(declared);
    M::declare(declaration);
    return make_monitor_table(std::move(declared));
  }();
  return table;
}

}  // namespace actor
}  // namespace heddle
