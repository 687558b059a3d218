#include "runtime/kernel_calls/traps.hpp"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>

#include "base/arch/x86_64/trapped_call.hpp"
#include "base/raw.hpp"
#include "engine/crash.hpp"
#include "runtime/front.hpp"
#include "runtime/kernel_calls/by_number.hpp"
#include "runtime/kernel_calls/special_code.hpp"
#include "runtime/kernel_calls/uncontrolled.hpp"
#include "runtime/libc/virtual_time.hpp"
#include "runtime/real.hpp"
#include "runtime/signals/signals.hpp"

namespace heddle::runtime {

HEDDLE_REAL(sigaction);
HEDDLE_REAL(syscall);

Traps traps;

namespace {

// Of <linux/prctl.h> since Linux 5.11.
constexpr long kSetDispatch = 59;
constexpr long kDispatchOff = 0;
constexpr long kDispatchOn = 1;
constexpr int kByDispatch = 2;  // si_code

long control_process(long what, long a, long b = 0, long c = 0) {
  return raw::syscall6(SYS_prctl, what, a, b, c, 0, 0);
}

/// A filter of the program's own stopped the call.
void pass_on(siginfo_t* info, void* context) {
  if (is_controlled() && !signals.handle_fault(SIGSYS, info, context))
    front.execution().fail(VerdictKind::signal, "a system call that a filter of the program forbids");
}

void on_call(int, siginfo_t* info, void* context) {
  if (info->si_code != kByDispatch) return pass_on(info, context);
  TrappedCall call(context);
  if (call.number() == SYS_rt_sigreturn) return call.make_at(end_of_handler(context));
  long argument[6];
  call.arguments(argument);
  long result = 0;
  const bool is_programs = is_code_of_program(call.place());
  if (!is_programs || !is_controlled() || !call_by_number(call.number(), argument, result, call.place()))
    result = raw::syscall6(call.number(), argument[0], argument[1], argument[2], argument[3], argument[4], argument[5]);
  call.answer(result);
  if (!is_programs && call.number() == SYS_mprotect) traps.code_was_loaded();  // the loader has mapped it all
}

std::uint64_t real_clock() {
  control_process(PR_SET_TSC, PR_TSC_ENABLE);
  const std::uint64_t now = processor_clock();
  control_process(PR_SET_TSC, PR_TSC_SIGSEGV);
  return now;
}

/// Virtual time, at a thousand million ticks a second.
void answer_in_virtual_time(void* context) {
  TrappedClock clock(context);
  const timespec now = read_clock(CLOCK_MONOTONIC, clock.place() + 1);
  clock.answer(static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec), 0);
}

bool answer_fault(void* context) { return traps.answer_clock(context) || traps.answer_identity(context); }

/// 0: the instruction that names the processor's features faults. Not every processor can do that.
bool set_identity(long is_readable) {
  constexpr long kSetIdentity = 0x1012;  // ARCH_SET_CPUID of <asm/prctl.h>
  return raw::syscall6(SYS_arch_prctl, kSetIdentity, is_readable, 0, 0, 0, 0) == 0;
}

void note_place(UncontrolledKind kind, const char* name, const SpecialPlace& place) {
  if (place.offset != 0) note_uncontrolled(kind, name, place.module, place.offset);
}

}  // namespace

void Traps::begin_exploration() {
  const SpecialCode& code = special_code();
  catches_calls_ = false;
  catches_clock_ = false;
  if (code.has(SpecialInstruction::system_call)) catch_calls();
  if (code.has(SpecialInstruction::read_clock)) catch_clock();
  look_at_the_rest();
}

/// Random numbers of the processor can only be hidden, by its features. Code that asked for them earlier has seen them.
void Traps::look_at_the_rest() {
  const SpecialCode& code = special_code();
  note_place(UncontrolledKind::instruction, "int $0x80 or sysenter", code.of(SpecialInstruction::old_system_call));
  if (!code.has(SpecialInstruction::random) || hides_random_) return;
  hides_random_ = set_identity(0);
  if (hides_random_)
    engine::answer_fault = answer_fault;
  else
    note_place(UncontrolledKind::random, "rdrand or rdseed", code.of(SpecialInstruction::random));
}

void Traps::ask_kernel() const {
  if (catches_calls_) {
    const SignalSet mine = only(SIGSYS);  // the kernel ends a process that blocks it
    raw::syscall6(SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&mine), 0, sizeof mine, 0, 0);
    const CodeRange libc = code_of_libc();
    control_process(kSetDispatch, kDispatchOn, static_cast<long>(libc.begin), static_cast<long>(libc.end - libc.begin));
  }
  if (catches_clock_) control_process(PR_SET_TSC, PR_TSC_SIGSEGV);
}

void Traps::end_exploration() { leave(); }

void Traps::leave() {
  if (catches_clock_) control_process(PR_SET_TSC, PR_TSC_ENABLE);
  if (catches_calls_) control_process(kSetDispatch, kDispatchOff, 0);
  if (hides_random_) set_identity(1);
  catches_calls_ = false;
  catches_clock_ = false;
  hides_random_ = false;
  engine::answer_fault = nullptr;
}

void Traps::set_clock_free(bool is_free) const {
  if (catches_clock_) control_process(PR_SET_TSC, is_free ? PR_TSC_ENABLE : PR_TSC_SIGSEGV);
}

void Traps::catch_calls() {
  struct sigaction action {};
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;  // on the operation's stack, which may be left and come back to
  real_sigaction(SIGSYS, &action, nullptr);
  raw::through_libc = real_syscall.address();  // for good: threads of the baton stay as they are
  catches_calls_ = true;
}

void Traps::catch_clock() {
  engine::answer_fault = answer_fault;
  catches_clock_ = true;
}

void Traps::expect_code() {
  if (catches_calls_) return;
  catch_calls();
  ask_kernel();
}

void Traps::code_was_loaded() {
  look_at_the_rest();
  if (catches_clock_ || !special_code().has(SpecialInstruction::read_clock)) return;
  catch_clock();
  ask_kernel();
}

bool Traps::answer_clock(void* context) const {
  TrappedClock clock(context);
  if (!catches_clock_ || (!clock.is_plain() && !clock.tells_processor())) return false;
  if (!is_controlled() || !is_code_of_program(clock.place()))
    clock.answer(real_clock(), 0);
  else if (front.scheduler().enabled().size() > 1)
    continue_on_program_stack(context, answer_in_virtual_time);  // other operations may go first
  else
    answer_in_virtual_time(context);
  return true;
}

bool Traps::answer_identity(void* context) const {
  TrappedIdentity identity(context);
  if (!hides_random_ || !identity.is_one()) return false;
  set_identity(1);
  identity.answer_without_random();
  set_identity(0);
  return true;
}

}  // namespace heddle::runtime
