// Where machines live. Inside the body of heddle::explore a Runtime is under control of the strategy; elsewhere it is a
// pool of threads. The machines see no difference.
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

/// What went wrong, outside an exploration. Inside one it is the verdict.
enum class FailureKind : std::uint8_t {
  unhandled_event,
  exception,      // out of an action, and the machine's handler did not take it
  specification,  // of a monitor, of SendOptions
  assertion,      // Machine::require
  deadlock,       // a machine stands in `receive` when the runtime ends
  misuse,         // two wishes in one action, a pop without a push, …
};
std::string_view name(FailureKind kind);

struct Failure {
  FailureKind kind;
  std::string message;  // names machine, state and event
};

/// One thing that happened, for logs, charts and coverage. The views hold during the call.
struct LogRecord {
  enum class What : std::uint8_t {
    created,  // `machine`, by `other`
    sent,     // `event` by `machine` to `other`
    taken,    // `event` out of the inbox
    raised,
    ignored,
    deferred,   // met and left in the inbox
    dropped,    // `event` to `machine`, which has halted
    entered,    // `state` by go_to or as the first
    pushed,     // `state`
    popped,     // `state` is the one that is left
    idle,       // the idle action runs
    waits,      // in `receive`: `text` says for what
    received,   // `event`, by a task that waited
    exception,  // `text`
    halted,
    timer_started,  // `event`
    timer_stopped,
    told,  // monitor `text` of `event`
    text,  // Machine::log
  };
  What what;
  MachineId machine;  // nobody: the body, or a thread of the program
  MachineId other;
  std::string_view state;  // the machine is in
  std::string_view event;  // the name of its type
  std::string_view text;
};
std::string_view name(LogRecord::What what);

struct RuntimeOptions {
  std::function<void(const LogRecord&)> log = {};  // empty: none. In production called by many threads at once

  // Under test.
  std::uint64_t temperature_max = 0;  // steps that a monitor may be hot; 0: half of Options::steps_max

  // In production.
  enum class WhenFull : std::uint8_t {
    wait,  // a thread waits for room; of a machine the event is put, and it gets no turn until there is room
    fail,  // the event is dropped, and that is a failure
    drop,  // … and counted
  };
  std::uint32_t threads = 0;                            // 0: one a processor
  std::uint32_t inbox_max = 0;                          // 0: unbounded
  WhenFull when_full = WhenFull::wait;                  // what a send to a full inbox does
  std::function<void(const Failure&)> on_failure = {};  // by any thread; must not throw. Empty: prints it and aborts
  std::uint64_t seed = 0;                               // of Machine::choose; 0: another in every run
};

struct Metrics {
  std::uint64_t machines_created = 0;
  std::uint64_t machines_halted = 0;
  std::uint64_t events_sent = 0;
  std::uint64_t events_handled = 0;  // taken out of an inbox: handled, received or ignored
  std::uint64_t events_dropped = 0;  // sent to a machine that had halted, or in the inbox of one that halts
  std::uint64_t failures = 0;
};

class Runtime {
 public:
  explicit Runtime(RuntimeOptions options = {});
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();  // stops it; on the way out of an exception aborts it

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

  /// Before the machines that tell it anything.
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

  /// Until no machine has anything to do and no timer but periodic ones is running.
  void wait();
  /// The same, and then looks whether a machine stands in `receive` or a monitor is hot; takes no more events.
  void stop();
  /// Takes no more events and drops those that are in the inboxes, counted.
  void abort();
  Metrics metrics() const;

 private:
  void send_box(MachineId to, actor::EventBox* box, SendOptions options);
  void add_monitor_object(actor::TypeInfo& type, const actor::Table& table, std::unique_ptr<Monitor> object);

  std::unique_ptr<actor::System> system_;
  int exceptions_;  // in flight when it was made
};

}  // namespace heddle
