// Signals of the program. They are managed here and not by the kernel, because all operations share one kernel thread
// or block all signals.
//
// Handlers, masks and pending signals live in tables that last for one execution. A signal that the program sends to
// itself goes to one operation that does not block it; which one is a choice. The handler runs in that operation, on
// its stack: at once if the operation sends to itself, otherwise as its next step (engine: `interrupt`), also out of a
// wait. A signal from outside is noted by a real handler and sent from the next scheduling point. For a program that
// uses no signals, all this costs only a test of `signals_in_use`.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "engine/scheduler.hpp"

namespace heddle::runtime {

inline constexpr int kSignalsEnd = 65;  // one more than the last signal, SIGRTMAX

/// A set of signals in the kernel's form: bit s-1 for signal s.
using SignalSet = std::uint64_t;
constexpr SignalSet only(int signal) { return SignalSet{1} << (signal - 1); }
SignalSet as_set(const sigset_t& set);
sigset_t as_sigset(SignalSet set);

class Signals {
 public:
  // Called from home.
  void begin_exploration();  // notes what the calling thread blocks: the first operation begins with that
  void end_execution();      // restores the kernel's handlers

  // Called by the running operation. Each makes sure that this execution has its tables.
  struct sigaction action(int signal);
  void set_action(int signal, const struct sigaction& action);
  SignalSet& mask() { return mine().mask; }
  SignalSet& mask_of(OperationId id) {
    use();
    return state(id).mask;
  }
  SignalSet pending();  // for the caller, as sigpending sees them
  /// Makes sure that these are noted when they come from outside, although the program does not handle them.
  void listen(SignalSet wanted);
  /// A new operation blocks what its creator blocks.
  void inherit(OperationId child);

  /// Sends to one operation, or to any: kNoOperation. The operation that will handle it does so before it goes on.
  void send(int signal, siginfo_t info, OperationId target);
  /// Calls the handlers of the caller's pending signals that are not blocked. False: there were none.
  bool handle_pending();
  /// Takes a pending signal among `wanted` and returns it. 0: none.
  int take(SignalSet wanted, siginfo_t* info);
  /// Waits until one of `wanted` is sent to the caller; if `wanted` is 0, until a handler has run in it. Returns the
  /// signal, or minus EINTR or EAGAIN (the deadline came).
  int wait(SignalSet wanted, std::uint64_t deadline, siginfo_t* info, const void* place);

  ResourceId resource();
  /// True if a handler ended the wait that the caller returns from.
  bool take_interrupted();
  /// An operation can be in only one queue at a time, and one that was interrupted in a wait is still in that queue.
  void refuse_second_wait();
  /// The program calls abort: calls its handler of SIGABRT first. False: it has none.
  bool handle_abort();
  /// Called by the real handler of a fault: calls the program's.
  bool handle_fault(int signal, siginfo_t* info, void* context);

  /// In a child process, which runs free: gives the state kept here to the kernel.
  void become_real();

  // Signals from outside.
  void note(int signal, const siginfo_t& info);  // called by a real handler
  void send_noted();
  bool has_noted() const { return noted_ != 0; }

 private:
  struct State {
    SignalSet mask = 0;
    SignalSet waits_for = 0;  // in sigwait
    siginfo_t received{};     // in sigwait
    bool requested = false;   // it will handle signals before it goes on
    bool interrupted = false;
  };
  struct Pending {
    siginfo_t info;
    OperationId target;  // kNoOperation: any operation that does not block it
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
  SignalSet changed_ = 0;                         // the signals whose kernel_actions_ are kept
  SignalSet initial_mask_ = 0;
  PageVector<State> states_;  // indexed by operation
  PageVector<Pending> pending_;
  PageVector<OperationId> candidates_;  // scratch of choose_target
  std::uint64_t execution_ = 0;         // that these tables belong to
  bool restart_ = true;                 // all handlers called last want waits to go on
  std::atomic<SignalSet> noted_{0};
  siginfo_t noted_info_[kSignalsEnd];
};

extern Signals signals;
extern bool signals_in_use;  // in this execution

/// Called before a wait in which the operation is in a queue.
inline void begin_wait_in_queue() {
  if (signals_in_use) [[unlikely]]
    signals.refuse_second_wait();
}

/// After a wait that a handler may end: true if one did.
inline bool taken_out_by_signal() { return signals_in_use && signals.take_interrupted(); }

}  // namespace heddle::runtime
