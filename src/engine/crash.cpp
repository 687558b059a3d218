#include "engine/crash.hpp"

#include <sys/syscall.h>
#include <ucontext.h>

#include <array>
#include <cstdio>
#include <cstring>

#include "base/raw.hpp"
#include "engine/control.hpp"
#include "engine/execution.hpp"

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

/// The handler does not return, so what AddressSanitizer marked on its stack the last time is still marked.
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
    sigaction(signal, &previous[i], nullptr);  // and the faulting instruction runs again
    if (signal == SIGABRT || info->si_code <= 0) raise(signal);
  }
}

void on_signal(int signal, siginfo_t* info, void* raw_context) {
  Execution* execution = control.execution;
  if (execution == nullptr || !is_controlled()) {
    pass_on(signal, info, raw_context);
    return;
  }
  if (handle_fault != nullptr && handle_fault(signal, info, raw_context)) return;
  forget_signal_stack();
  const auto& registers = static_cast<const ucontext_t*>(raw_context)->uc_mcontext.gregs;
  const StackBounds stack = execution->executor().stack(execution->self());
  const auto* address = static_cast<const char*>(info->si_addr);
  const bool overflow = signal == SIGSEGV && address >= stack.low - kGuardBytes && address < stack.low + 4096;
  char text[200];
  if (overflow) {
    std::snprintf(text, sizeof text, "stack overflow: T%u needs more than %zu KiB", index(execution->self()),
                  static_cast<std::size_t>(stack.high - stack.low) / 1024);
  } else if (signal == SIGABRT) {
    std::snprintf(text, sizeof text, "abort");
  } else if (signal == SIGSEGV || signal == SIGBUS) {
    const auto value = reinterpret_cast<std::uintptr_t>(address);
    std::snprintf(text, sizeof text, value < 65536 ? "%s at address 0x%zx: a null pointer" : "%s", words(signal, 0),
                  value);
  } else {
    std::snprintf(text, sizeof text, "%s", words(signal, info->si_code));
  }
  execution->fail_at(overflow            ? VerdictKind::stack_overflow
                     : signal == SIGABRT ? VerdictKind::aborted
                                         : VerdictKind::signal,
                     text, reinterpret_cast<void*>(registers[REG_RIP] + 1));
}

}  // namespace

bool (*handle_fault)(int, siginfo_t*, void*) = nullptr;

void accept_fatal_signals() {
  stack_t stack{};
  stack.ss_sp = raw::map_pages(kStackBytes);
  stack.ss_size = kStackBytes;
  // Not through libc: it may be this thread's turn already, and then the call would be taken for an operation's.
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
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;  // the handler does not return: it must not leave a mask
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kFatal.size(); ++i) sigaction(kFatal[i], &action, &previous[i]);
}

CrashGuard::~CrashGuard() {
  for (std::size_t i = 0; i < kFatal.size(); ++i) sigaction(kFatal[i], &previous[i], nullptr);
  sigaltstack(&saved_stack_, nullptr);
}

}  // namespace heddle::engine
