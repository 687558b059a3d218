#include "engine/crash.hpp"

#include <sys/syscall.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "base/arch/x86_64/frames.hpp"
#include "base/raw.hpp"
#include "engine/control.hpp"
#include "engine/execution.hpp"
#include "engine/rescue.hpp"

extern "C" [[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* address, std::size_t bytes);

namespace heddle::engine {
namespace {

constexpr std::array kFatal = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t kStackBytes = 256 * 1024;  // the handler walks the stack and formats a message

std::array<struct sigaction, kFatal.size()> previous;

const char* words(int signal, int code) {
  switch (signal) {
    case SIGSEGV:
      return "segmentation fault";
    case SIGBUS:
      return "bus error";
    case SIGFPE:
      return code == FPE_INTDIV ? "integer division by zero" : "arithmetic error";
    case SIGILL:
      return "illegal instruction";
    default:
      return "abort";
  }
}

/// The handler does not return, so the marks that AddressSanitizer left on its stack last time are still there.
void forget_signal_stack() {
  if (&__asan_unpoison_memory_region == nullptr) return;
  stack_t stack{};
  raw::syscall6(SYS_sigaltstack, 0, reinterpret_cast<long>(&stack), 0, 0, 0, 0);
  __asan_unpoison_memory_region(stack.ss_sp, stack.ss_size);
}

void pass_on(int signal, siginfo_t* info, void* context) {
  for (std::size_t i = 0; i < kFatal.size(); ++i) {
    if (kFatal[i] != signal) continue;
    if ((previous[i].sa_flags & SA_SIGINFO) != 0) {
      previous[i].sa_sigaction(signal, info, context);
      return;
    }
    if (previous[i].sa_handler != SIG_DFL && previous[i].sa_handler != SIG_IGN) {
      previous[i].sa_handler(signal);
      return;
    }
    sigaction(signal, &previous[i], nullptr);  // then the faulting instruction runs again
    if (signal == SIGABRT || info->si_code <= 0) raise(signal);
  }
}

/// The fault is the fetch of an instruction. The interrupted call is then undone, so that the stack of its caller is
/// recorded.
bool has_jumped_astray(const siginfo_t* info, void* context, const StackBounds& stack) {
  const bool is_fetch = reinterpret_cast<std::uintptr_t>(info->si_addr) == interrupted_instruction(context);
  if (is_fetch && (info->si_signo == SIGSEGV || info->si_signo == SIGBUS))
    return undo_call(context, reinterpret_cast<std::uintptr_t>(stack.low),
                     reinterpret_cast<std::uintptr_t>(stack.high));
  return false;
}

void on_signal(int signal, siginfo_t* info, void* raw_context) {
  if (signal == SIGSEGV && info->si_code == SI_KERNEL && answer_fault != nullptr && answer_fault(raw_context)) return;
  end_attempt();
  Execution* execution = control.execution;
  if (execution == nullptr || !is_controlled()) {
    pass_on(signal, info, raw_context);
    return;
  }
  if (handle_fault != nullptr && handle_fault(signal, info, raw_context)) return;
  forget_signal_stack();
  const StackBounds stack = execution->executor().stack(execution->self());
  const auto* address = static_cast<const char*>(info->si_addr);
  const bool overflow = signal == SIGSEGV && address >= stack.low - kGuardBytes && address < stack.low + 4096;
  char text[200];
  if (overflow) {
    std::snprintf(text, sizeof text, "stack overflow: T%u needs more than %zu KiB", index(execution->self()),
                  stack.asked / 1024);
  } else if (signal == SIGABRT) {
    std::snprintf(text, sizeof text, "abort");
  } else if (signal == SIGSEGV || signal == SIGBUS) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    const bool is_astray = has_jumped_astray(info, raw_context, stack);
    std::snprintf(text, sizeof text,
                  value < 65536 ? "%s at address 0x%zx: a null pointer"
                  : is_astray   ? "%s: it called or jumped to an address without code"
                                : "%s",
                  words(signal, 0), value);
  } else {
    std::snprintf(text, sizeof text, "%s", words(signal, info->si_code));
  }
  execution->fail_at(overflow            ? VerdictKind::stack_overflow
                     : signal == SIGABRT ? VerdictKind::aborted
                                         : VerdictKind::signal,
                     text, reinterpret_cast<void*>(interrupted_instruction(raw_context) + 1));
}

}  // namespace

bool (*handle_fault)(int, siginfo_t*, void*) = nullptr;
bool (*answer_fault)(void*) = nullptr;

void accept_fatal_signals() {
  stack_t stack{};
  stack.ss_sp = raw::map_pages(kStackBytes);
  stack.ss_size = kStackBytes;
  // Not through libc, which would take the call for one by an operation.
  raw::syscall6(SYS_sigaltstack, reinterpret_cast<long>(&stack), 0, 0, 0, 0, 0);
  sigset_t fatal;
  sigemptyset(&fatal);
  for (const int signal : kFatal) sigaddset(&fatal, signal);
  constexpr long kKernelSetBytes = 8;
  raw::syscall6(SYS_rt_sigprocmask, SIG_UNBLOCK, reinterpret_cast<long>(&fatal), 0, kKernelSetBytes, 0, 0);
}

CrashGuard::CrashGuard() {
  static void* const pages = raw::map_pages(kStackBytes);
  stack_t stack{};
  stack.ss_sp = pages;
  stack.ss_size = kStackBytes;
  sigaltstack(&stack, &saved_stack_);
  struct sigaction action {};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // the handler does not return, so it must leave no mask
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kFatal.size(); ++i) sigaction(kFatal[i], &action, &previous[i]);
}

CrashGuard::~CrashGuard() {
  for (std::size_t i = 0; i < kFatal.size(); ++i) sigaction(kFatal[i], &previous[i], nullptr);
  sigaltstack(&saved_stack_, nullptr);
}

}  // namespace heddle::engine
