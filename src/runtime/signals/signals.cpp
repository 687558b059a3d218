#include "runtime/signals/signals.hpp"

#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cerrno>
#include <cstdio>

#include "base/raw.hpp"
#include "engine/crash.hpp"
#include "runtime/environment.hpp"
#include "runtime/front.hpp"
#include "runtime/kernel_calls/traps.hpp"
#include "runtime/real.hpp"

namespace heddle::runtime {

using model::EventKind;
using model::ResourceKind;

HEDDLE_REAL(sigaction);

Signals signals;
bool signals_in_use = false;

namespace {

constexpr SignalSet kNeverBlocked = only(SIGKILL) | only(SIGSTOP);
constexpr SignalSet kFaults = only(SIGSEGV) | only(SIGBUS) | only(SIGFPE) | only(SIGILL) | only(SIGABRT);
// Signals that do nothing without a handler: those for which POSIX says so, and those that would stop the process.
constexpr SignalSet kIgnoredByDefault = only(SIGCHLD) | only(SIGURG) | only(SIGWINCH) | only(SIGCONT) | only(SIGSTOP) |
                                        only(SIGTSTP) | only(SIGTTIN) | only(SIGTTOU);

bool is_in(SignalSet set, int signal) { return (set & only(signal)) != 0; }

// Both forms of a handler are stored in the same place.
bool has_handler(const struct sigaction& action) {
  return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

void note_outside(int signal, siginfo_t* info, void*) { signals.note(signal, *info); }

bool fault(int signal, siginfo_t* info, void* context) { return signals.handle_fault(signal, info, context); }

/// True if a wait of this kind is over when a handler has run in it.
bool ends_by_handler(EventKind kind, bool restart, bool has_deadline) {
  using model::AfterHandler;
  const AfterHandler after = model::row(kind).after_handler;
  if (after == AfterHandler::goes_on || after == AfterHandler::is_over) return after == AfterHandler::is_over;
  return !restart || (has_deadline && after == AfterHandler::may_restart_if_endless);
}

}  // namespace

SignalSet as_set(const sigset_t& set) {
  SignalSet bits;
  static_assert(sizeof set >= sizeof bits);
  memcpy(&bits, &set, sizeof bits);
  return bits;
}

sigset_t as_sigset(SignalSet set) {
  sigset_t made;
  memset(&made, 0, sizeof made);
  memcpy(&made, &set, sizeof set);
  return made;
}

// --- the tables of an execution ------------------------------------------------------------------------------------

void Signals::begin_exploration() {
  raw::syscall6(SYS_rt_sigprocmask, SIG_BLOCK, 0, reinterpret_cast<long>(&initial_mask_), sizeof initial_mask_, 0, 0);
}

void Signals::use() {
  if (signals_in_use && execution_ == front.execution_number()) return;
  signals_in_use = true;
  execution_ = front.execution_number();
  front.scheduler().spare_nothing();
  states_.clear();
  pending_.clear();
  noted_ = 0;
  changed_ = 0;
  for (int signal = 1; signal < kSignalsEnd; ++signal) {
    actions_[signal] = {};
    if (!is_in(kFaults, signal)) real_sigaction(signal, nullptr, &actions_[signal]);
  }
  use_environment();
}

void Signals::end_execution() {
  signals_in_use = false;
  engine::handle_fault = nullptr;
  for (int signal = 1; changed_ != 0; ++signal) {
    if (!is_in(changed_, signal)) continue;
    real_sigaction(signal, &kernel_actions_[signal], nullptr);
    changed_ &= ~only(signal);
  }
}

Signals::State& Signals::state(OperationId id) {
  while (states_.size() <= index(id)) states_.append().mask = initial_mask_;
  return states_[index(id)];
}

Signals::State& Signals::mine() {
  use();
  return state(front.self());
}

ResourceId Signals::resource() {
  return front.resource(this, ResourceKind::signals, [](model::Resource&) {});
}

void Signals::inherit(OperationId child) {
  const SignalSet mask = mine().mask;
  state(child).mask = mask;
}

struct sigaction Signals::action(int signal) {
  use();
  return actions_[signal];
}

void Signals::set_action(int signal, const struct sigaction& action) {
  use();
  actions_[signal] = action;
  mirror(signal, action);
}

// The kernel ignores what the program ignores, and notifies heddle of what the program handles. Faults belong to
// heddle.
void Signals::mirror(int signal, const struct sigaction& wanted) {
  if (is_in(kFaults, signal)) {
    engine::handle_fault = fault;
    return;
  }
  if (is_in(kNeverBlocked, signal) || (signal == SIGSYS && traps.catches_calls())) return;
  struct sigaction real {};
  real.sa_handler = wanted.sa_handler;
  real.sa_flags = SA_RESTART;
  if (has_handler(wanted)) {
    real.sa_sigaction = note_outside;
    real.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    memset(&real.sa_mask, 0xff, sizeof real.sa_mask);
  }
  real_sigaction(signal, &real, is_in(changed_, signal) ? nullptr : &kernel_actions_[signal]);
  changed_ |= only(signal);
}

void Signals::listen(SignalSet wanted) {
  use();
  for (int signal = 1; signal < kSignalsEnd; ++signal) {
    if (!is_in(wanted & ~kFaults & ~kNeverBlocked, signal) || has_handler(actions_[signal])) continue;
    struct sigaction listener {};
    listener.sa_sigaction = note_outside;
    listener.sa_flags = SA_SIGINFO;
    mirror(signal, listener);
  }
}

void Signals::become_real() {
  if (!signals_in_use) return;
  for (int signal = 1; signal < kSignalsEnd; ++signal)
    if (is_in(changed_, signal) || has_handler(actions_[signal])) real_sigaction(signal, &actions_[signal], nullptr);
  const SignalSet mask = mine().mask;
  raw::syscall6(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&mask), 0, sizeof mask, 0, 0);
  changed_ = 0;
  signals_in_use = false;
}

SignalSet Signals::pending() {
  const SignalSet mask = mine().mask;
  SignalSet found = 0;
  for (const Pending& one : pending_)
    if (one.target == kNoOperation || one.target == front.self()) found |= only(one.info.si_signo);
  return found & mask;
}

// --- sending -------------------------------------------------------------------------------------------------------

bool Signals::is_ignored(int signal) {
  const struct sigaction& action = actions_[signal];
  if (has_handler(action)) return false;
  return action.sa_handler == SIG_IGN || is_in(kIgnoredByDefault, signal);
}

bool Signals::takes(OperationId id, int signal) {
  const State& its = state(id);
  return is_in(its.waits_for, signal) || !is_in(its.mask, signal);
}

OperationId Signals::choose_target(int signal) {
  candidates_.clear();
  const engine::Scheduler& scheduler = front.scheduler();
  for (std::uint32_t i = 0; i < scheduler.operation_count(); ++i) {
    const OperationId id{i};
    if (!scheduler.has_ended(id) && !scheduler.is_service(id) && takes(id, signal)) candidates_.push_back(id);
  }
  if (candidates_.empty()) return kNoOperation;
  return candidates_[front.execution().choose(static_cast<std::uint32_t>(candidates_.size()))];
}

void Signals::add_pending(const siginfo_t& info, OperationId target) {
  if (info.si_signo < SIGRTMIN)  // one of each is kept; real-time signals are queued
    for (const Pending& one : pending_)
      if (one.info.si_signo == info.si_signo && one.target == target) return;
  pending_.push_back({info, target});
}

void Signals::send(int signal, siginfo_t info, OperationId target) {
  use();
  info.si_signo = signal;
  const OperationId who = target != kNoOperation ? target : choose_target(signal);
  if (who == kNoOperation || !takes(who, signal)) {
    add_pending(info, target);
    return;
  }
  State& its = state(who);
  if (is_in(its.waits_for, signal)) {  // it stands in sigwait
    its.waits_for = 0;
    its.received = info;
    engine::Scheduler& scheduler = front.scheduler();
    scheduler.stand(who, event(EventKind::handle_signal, resource(), scheduler.next(who).place));
    return;
  }
  if (!is_ignored(signal)) deliver(info, who);
}

bool Signals::has_begun(OperationId id) const { return front.scheduler().next(id).kind != EventKind::start; }

void Signals::deliver(const siginfo_t& info, OperationId target) {
  if (!has_handler(actions_[info.si_signo])) end_by(info.si_signo, info);
  add_pending(info, target);
  State& its = state(target);
  if (target == front.self() || its.requested || !has_begun(target)) return;  // a new operation checks for itself
  its.requested = true;
  front.execution().interrupt(target, event(EventKind::handle_signal, resource(), front.scheduler().next(target).place),
                              handle_when_resumed);
}

void Signals::end_by(int signal, const siginfo_t& info) {
  char text[160];
  const char* const name = sigabbrev_np(signal);
  char number[16];
  std::snprintf(number, sizeof number, "RT%d", signal);
  std::snprintf(text, sizeof text, "SIG%s %s, and the program does not handle it", name != nullptr ? name : number,
                info.si_code == SI_TIMER ? "came from a timer" : "was sent");
  front.execution().fail(signal == SIGABRT ? VerdictKind::aborted : VerdictKind::signal, text);
}

// --- handling ------------------------------------------------------------------------------------------------------

bool Signals::take_pending(SignalSet wanted, siginfo_t& info) {
  const OperationId self = front.self();
  std::size_t best = pending_.size();
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Pending& one = pending_[i];
    if ((one.target != kNoOperation && one.target != self) || !is_in(wanted, one.info.si_signo)) continue;
    if (best == pending_.size() || one.info.si_signo < pending_[best].info.si_signo) best = i;
  }
  if (best == pending_.size()) return false;
  info = pending_[best].info;
  pending_.erase(best);
  return true;
}

bool Signals::handle_pending() {
  bool any = false;
  bool restart = true;
  siginfo_t info;
  while (take_pending(~mine().mask, info)) {
    if (is_ignored(info.si_signo)) continue;
    if (!has_handler(actions_[info.si_signo])) end_by(info.si_signo, info);
    any = true;
    restart = restart && (actions_[info.si_signo].sa_flags & SA_RESTART) != 0;
    call_handler(info);
  }
  restart_ = restart;
  return any;
}

void Signals::call_handler(const siginfo_t& info) {
  const struct sigaction action = actions_[info.si_signo];
  if ((action.sa_flags & SA_RESETHAND) != 0) actions_[info.si_signo] = {};
  const SignalSet before = mine().mask;
  mine().mask |= as_set(action.sa_mask) & ~kNeverBlocked;
  if ((action.sa_flags & SA_NODEFER) == 0) mine().mask |= only(info.si_signo);
  const int error = errno;
  ucontext_t context{};  // empty, except for the mask of blocked signals
  context.uc_sigmask = as_sigset(before);
  call_handler_with(action, info, &context);  // may step, and be interrupted
  errno = error;
  mine().mask = before;
}

void Signals::call_handler_with(const struct sigaction& action, siginfo_t info, void* context) {
  if ((action.sa_flags & SA_SIGINFO) != 0)
    action.sa_sigaction(info.si_signo, &info, context);
  else
    action.sa_handler(info.si_signo);
}

// The first action of an interrupted operation.
void Signals::handle_when_resumed() {
  signals.mine().requested = false;
  if (!signals.ends_interrupted(signals.handle_pending())) front.execution().go_back();
}

// Is the interrupted wait over, because of the handlers that ran or a cancellation that came meanwhile?
bool Signals::ends_interrupted(bool handled) {
  engine::Scheduler& scheduler = front.scheduler();
  const EventKind kind = scheduler.interrupted().kind;
  Thread& thread = front.this_thread();
  if (thread.cancel_requested && !thread.cancel_disabled && model::row(kind).cancels)
    take_out_to_cancel(front.self(), scheduler.interrupted());
  else if (handled && ends_by_handler(kind, restart_, scheduler.interrupted_has_deadline()))
    mine().interrupted = true;
  else
    return false;
  scheduler.leave_interrupted();
  return true;
}

void Signals::refuse_second_wait() {
  if (!front.scheduler().is_interrupted_in_a_wait()) return;
  front.execution().fail(VerdictKind::misuse, "a signal handler that interrupted a wait begins another");
}

bool Signals::handle_abort() {
  if (!has_handler(actions_[SIGABRT])) return false;
  mine().mask &= ~only(SIGABRT);
  siginfo_t info{};
  info.si_code = SI_TKILL;
  send(SIGABRT, info, front.self());
  handle_pending();
  return true;
}

bool Signals::take_interrupted() {
  State& its = mine();
  const bool was = its.interrupted;
  its.interrupted = false;
  return was;
}

// Runs on the stack of the real handler. The program's handler may jump or end the program. If it returns, the
// instruction runs again, as it would without heddle.
bool Signals::handle_fault(int signal, siginfo_t* info, void* context) {
  if (!signals_in_use || !has_handler(actions_[signal])) return false;
  const struct sigaction action = actions_[signal];
  if ((action.sa_flags & SA_RESETHAND) != 0) actions_[signal] = {};
  call_handler_with(action, *info, context);
  return true;
}

// --- waiting -------------------------------------------------------------------------------------------------------

int Signals::take(SignalSet wanted, siginfo_t* info) {
  use();
  siginfo_t found;
  if (!take_pending(wanted, found)) return 0;
  if (info != nullptr) *info = found;
  return found.si_signo;
}

int Signals::wait(SignalSet wanted, std::uint64_t deadline, siginfo_t* info, const void* place) {
  mine().waits_for = wanted;
  const bool woken = front.execution().step_when_woken(event(EventKind::wait_signal, resource(), place), deadline);
  State& its = mine();
  const bool received = wanted != 0 && its.waits_for == 0;
  its.waits_for = 0;
  if (taken_out_to_cancel()) act_on_cancel();
  if (take_interrupted()) return -EINTR;
  if (!received) return woken ? -EINTR : -EAGAIN;
  if (info != nullptr) *info = its.received;
  return its.received.si_signo;
}

// --- from outside --------------------------------------------------------------------------------------------------

void Signals::note(int signal, const siginfo_t& info) {
  if (engine::control.execution == nullptr) return;  // no operation can handle it
  noted_info_[signal] = info;
  noted_.fetch_or(only(signal));
  engine::control.execution->call_attention();
}

// The running operation stands before its next step, or has ended. If it is the one that handles the signal, it does so
// here, and then stands there again.
void Signals::send_noted() {
  const SignalSet came = noted_.exchange(0);
  if (!signals_in_use) return;
  const bool ended = front.scheduler().has_ended(front.self());
  for (int signal = 1; signal < kSignalsEnd; ++signal)
    if (is_in(came, signal)) send(signal, noted_info_[signal], kNoOperation);
  if (ended || pending_.empty()) return;
  front.scheduler().interrupt(front.self(), event(EventKind::handle_signal, resource(), nullptr));
  if (ends_interrupted(handle_pending()))
    front.scheduler().stand(front.self(), front.scheduler().next(front.self()));  // and is admitted now
  else
    front.scheduler().resume();
}

}  // namespace heddle::runtime
