// A Runtime is where machines live. Inside the body of heddle::explore the strategy controls it; elsewhere it is a
// thread pool. The machines see no difference.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "heddle/actor/event.hpp"
#include "heddle/actor/machine.hpp"
#include "heddle/actor/monitor.hpp"

namespace heddle {

/// What went wrong, outside an exploration. Inside an exploration a failure is the verdict.
enum class FailureKind : std::uint8_t {
  unhandled_event,
  exception,      // thrown by an action and not handled by the machine
  specification,  // a monitor or SendOptions was violated
  assertion,      // Machine::require
  deadlock,       // a machine waits in `receive` when the runtime ends
  misuse,         // for example two transitions in one action, or a pop without a push
};
std::string_view name(FailureKind kind);

struct Failure {
  FailureKind kind;
  std::string message;  // names machine, state and event
};

/// One thing that happened, for logs, charts and coverage. The string views are valid during the call only.
struct LogRecord {
  enum class What : std::uint8_t {
    created,  // `machine`, by `other`
    sent,     // `event` by `machine` to `other`
    taken,    // `event` out of the inbox
    raised,
    ignored,
    deferred,   // seen and left in the inbox
    dropped,    // `event` to `machine`, which has halted
    entered,    // `state`, by go_to or as the start state
    pushed,     // `state`
    popped,     // `state` is the one that was left
    idle,       // the idle action runs
    waits,      // in `receive`: `text` says for which events
    received,   // `event`, by a task that waited for it
    exception,  // `text`
    halted,
    timer_started,  // `event`
    timer_stopped,
    told,  // monitor `text` of `event`
    text,  // Machine::log
  };
  What what;
  MachineId machine;  // no machine: the body, or a thread of the program
  MachineId other;
  std::string_view state;  // of the machine
  std::string_view event;  // the name of its type
  std::string_view text;
};
std::string_view name(LogRecord::What what);

struct RuntimeOptions {
  std::function<void(const LogRecord&)> log = {};  // empty: no log. In production many threads call it at once

  // Under test.
  std::uint64_t temperature_max = 0;  // steps that a monitor may be hot; 0: half of Options::steps_max

  // In production.
  enum class WhenFull : std::uint8_t {
    wait,  // a sending thread waits for room; a sending machine adds the event, and does not run until there is room
    fail,  // the event is dropped, and that is a failure
    drop,  // the event is dropped and counted
  };
  std::uint32_t threads = 0;                            // 0: one per processor
  std::uint32_t inbox_max = 0;                          // 0: unbounded
  WhenFull when_full = WhenFull::wait;                  // what a send to a full inbox does
  std::function<void(const Failure&)> on_failure = {};  // any thread calls it; no throw. Empty: print it and abort
  std::uint64_t seed = 0;                               // for Machine::choose; 0: a different one in every run
};

struct Metrics {
  std::uint64_t machines_created = 0;
  std::uint64_t machines_halted = 0;
  std::uint64_t events_sent = 0;
  std::uint64_t events_handled = 0;  // taken out of an inbox: handled, received or ignored
  std::uint64_t events_dropped = 0;  // sent to a machine that had halted, or in the inbox of a machine that halts
  std::uint64_t failures = 0;
};

class Runtime {
 public:
  explicit Runtime(RuntimeOptions options = {});
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();  // calls stop(), or abort() if an exception is in flight

  template <typename M, typename... As>
  MachineId create(As&&... arguments) {
    return actor::create_machine<M>(*system_, nullptr, {}, std::forward<As>(arguments)...);
  }
  template <typename M, typename... As>
  MachineId create_named(std::string_view name, As&&... arguments) {
    return actor::create_machine<M>(*system_, nullptr, name, std::forward<As>(arguments)...);
  }
  template <typename E>
  [[gnu::always_inline]] void send(MachineId to, E&& event, SendOptions options = {}) {
    send_box(to, actor::box_event(*system_, std::forward<E>(event)), options);
  }

  /// Call this before creating machines that tell the monitor anything.
  template <typename Spec, typename... As>
  void add_monitor(As&&... arguments) {
    add_monitor_object(actor::type_info<Spec>, actor::monitor_table_of<Spec>(),
                       std::make_unique<Spec>(std::forward<As>(arguments)...));
  }
  template <typename Spec, typename E>
  void tell(const E& event) {
    actor::check_event<E>();
    actor::tell(*system_, actor::type_info<Spec>, actor::event_type<E>, &event);
  }

  /// Waits until no machine has anything to do and no timer except periodic ones is running.
  void wait();
  /// Waits as above, then reports a machine that waits in `receive` or a monitor that is hot. Accepts no more events.
  void stop();
  /// Accepts no more events; drops and counts those in the inboxes.
  void abort();
  Metrics metrics() const;

 private:
  void send_box(MachineId to, actor::EventBox* box, SendOptions options);
  void add_monitor_object(actor::TypeInfo& type, const actor::Table& table, std::unique_ptr<Monitor> object);

  std::unique_ptr<actor::System> system_;
  int exceptions_;  // in flight when the runtime was created
};

}  // namespace heddle
