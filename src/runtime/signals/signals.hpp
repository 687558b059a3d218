// Signals of the program, kept here and not by the kernel: all operations share one kernel thread or block everything.
//
// Handlers, masks and pending signals live in tables that last for one execution. A signal that the program sends to
// itself goes to one operation that does not block it; which one is a choice. The handler runs in that operation, on
// its stack: at once if the operation sends to itself, else as the next step that it takes (engine: `interrupt`), also
// out of a wait. A signal that comes from outside is noted by a real handler and sent from the next scheduling point.
// Nothing here costs a program that uses no signals more than a test of `signals_in_use`.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "engine/scheduler.hpp"

namespace heddle::runtime {

inline constexpr int kSignalsEnd = 65;  // one more than the last, SIGRTMAX

/// A set of signals as the kernel has it: bit s-1 for signal s.
using SignalSet = std::uint64_t;
constexpr SignalSet only(int signal) { return SignalSet{1} << (signal - 1); }
SignalSet as_set(const sigset_t& set);
sigset_t as_sigset(SignalSet set);

class Signals {
 public:
  // From home.
  void begin_exploration();  // notes what the calling thread blocks: the first operation begins with that
  void end_execution();      // puts the kernel's handlers back

  // By the running operation. Each makes sure that this execution has its tables.
  struct sigaction action(int signal);
  void set_action(int signal, const struct sigaction& action);
  SignalSet& mask() { return mine().mask; }
  SignalSet pending();  // for the caller, as sigpending sees them
  /// Makes sure that these are noted when they come from outside, although nobody handles them.
  void listen(SignalSet wanted);
  /// A new operation blocks what its creator does.
  void inherit(OperationId child);

  /// To one operation, or to any: kNoOperation. Those who are to handle it do so before they go on.
  void send(int signal, siginfo_t info, OperationId target);
  /// Calls the handlers of what is pending for the caller and not blocked. False: there was nothing.
  bool handle_pending();
  /// Takes one of `wanted` that is pending, and tells what it is. 0: none.
  int take(SignalSet wanted, siginfo_t* info);
  /// Waits until one of `wanted` is sent to the caller; with 0, until a handler has run in it. The number of the
  /// signal, or minus EINTR or EAGAIN (the deadline came).
  int wait(SignalSet wanted, std::uint64_t deadline, siginfo_t* info, const void* place);

  ResourceId resource();
  /// Was the wait, from which the caller comes, ended by a handler?
  bool take_interrupted();
  /// An operation stands in one queue at a time, and one that was interrupted in a wait stands there still.
  void refuse_second_wait();
  /// The program calls abort: if it handles SIGABRT, that comes first.
  void handle_abort();
  /// By the real handler of a fault: calls the program's.
  bool handle_fault(int signal, siginfo_t* info, void* context);

  /// In a child process, which runs free: what was kept here becomes the kernel's.
  void become_real();

  // Signals from outside.
  void note(int signal, const siginfo_t& info);  // by a real handler
  void send_noted();
  bool has_noted() const { return noted_ != 0; }

 private:
  struct State {
    SignalSet mask = 0;
    SignalSet waits_for = 0;  // in sigwait
    siginfo_t received{};     // there
    bool requested = false;   // it will handle signals before it goes on
    bool interrupted = false;
  };
  struct Pending {
    siginfo_t info;
    OperationId target;  // kNoOperation: whoever does not block it
  };

  void use();
  State& state(OperationId id);
  State& mine();
  bool is_ignored(int signal);
  [[noreturn]] void end_by(int signal, const siginfo_t& info);
  void deliver(const siginfo_t& info, OperationId target);
  bool has_begun(OperationId id) const;
  bool takes(OperationId id, int signal);
  OperationId choose_target(int signal);
  void add_pending(const siginfo_t& info, OperationId target);
  bool take_pending(SignalSet wanted, siginfo_t& info);
  void call_handler(const siginfo_t& info);
  void call_handler_with(const struct sigaction& action, siginfo_t info, void* context);
  void mirror(int signal, const struct sigaction& action);
  static void handle_when_resumed();
  bool ends_interrupted(bool handled);

  struct sigaction actions_[kSignalsEnd];
  struct sigaction kernel_actions_[kSignalsEnd];  // before the first change of an execution
  SignalSet changed_ = 0;                         // of whom these are kept
  SignalSet initial_mask_ = 0;
  PageVector<State> states_;  // indexed by operation
  PageVector<Pending> pending_;
  PageVector<OperationId> candidates_;  // scratch of choose_target
  std::uint64_t execution_ = 0;         // whose tables these are
  bool restart_ = true;                 // of the handlers that were called last, every one wants waits to go on
  std::atomic<SignalSet> noted_{0};
  siginfo_t noted_info_[kSignalsEnd];
};

extern Signals signals;
extern bool signals_in_use;  // in this execution

/// Before a wait in which the operation stands in a queue.
inline void begin_wait_in_queue() {
  if (signals_in_use) [[unlikely]]
    signals.refuse_second_wait();
}

/// After a wait that a handler may end: did one?
inline bool taken_out_by_signal() { return signals_in_use && signals.take_interrupted(); }

}  // namespace heddle::runtime
