#include "api/watchdog.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstdint>
#include <cstdio>

#include "base/arch/x86_64/frames.hpp"
#include "base/raw.hpp"
#include "engine/control.hpp"
#include "engine/execution.hpp"
#include "engine/loaded_code.hpp"
#include "report/summary.hpp"
#include "runtime/front.hpp"

namespace heddle {
namespace {

constexpr int kSignal = 62;  // as for `heddle run`
constexpr std::uint64_t kSeldomNs = 500'000'000;
constexpr std::uint64_t kOftenNs = 5'000'000;  // once an operation has stood still
constexpr std::uint64_t kPatienceNs = 1'000'000'000;
constexpr std::uint64_t kPatienceLaterNs = 10'000'000;
constexpr std::uint64_t kPatienceWithKernelNs = 5'000'000'000;
constexpr unsigned kCutsMax = 3;

struct State {
  int timer = -1;
  std::uint64_t execution = 0;
  std::uint64_t step = 0;
  std::uint64_t since_ns = 0;  // the operation stands at that step
  unsigned yields = 0;
  unsigned cuts = 0;
  OperationId who = kNoOperation;  // the first that stood still
  bool was_in_kernel = false;
  std::uintptr_t place = 0;
};
State state;
struct sigaction before;

void set_timer(std::uint64_t ns) {
  const timespec every = {static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  const itimerspec times = {every, every};
  raw::syscall6(SYS_timer_settime, state.timer, 0, reinterpret_cast<long>(&times), 0, 0, 0);
}

/// How long the operation has stood at its step.
std::uint64_t standstill_ns(const engine::Execution& execution) {
  const std::uint64_t step = execution.scheduler().steps();
  const std::uint64_t number = runtime::front.execution_number();
  const std::uint64_t now = raw::monotonic_ns();
  if (step == state.step && number == state.execution) return now - state.since_ns;
  state.step = step;
  state.execution = number;
  state.since_ns = now;
  return 0;
}

void keep_place(const engine::Execution& execution, std::uintptr_t instruction, bool in_kernel) {
  if (state.who != kNoOperation) return;
  state.who = execution.self();
  state.was_in_kernel = in_kernel;
  state.place = instruction;
  set_timer(kOftenNs);
}

void on_tick(int, siginfo_t*, void* context) {
  engine::Execution* const execution = engine::control.execution;
  if (execution == nullptr || !engine::is_controlled()) return;
  const std::uint64_t stood_ns = standstill_ns(*execution);
  if (stood_ns < (state.yields > 0 ? kPatienceLaterNs : kPatienceNs)) return;
  const std::uintptr_t instruction = interrupted_instruction(context);
  const engine::LoadedModule* const module = engine::module_at(instruction);
  if (module == nullptr || module->is_heddles) return;
  if (raw::is_at_system_call(reinterpret_cast<const unsigned char*>(instruction))) {
    keep_place(*execution, instruction, true);
    if (stood_ns < (state.cuts > 0 ? kPatienceNs : kPatienceWithKernelNs)) return;
    ++state.cuts;
    char text[120];
    std::snprintf(text, sizeof text, "T%u is in a system call that heddle does not control", index(execution->self()));
    execution->end_with(VerdictKind::cut, text, CutReason::outside);
  }
  if (!module->may_yield) return;
  keep_place(*execution, instruction, false);
  ++state.yields;
  execution->step({model::EventKind::yield, kNoResource, reinterpret_cast<const void*>(instruction)});
}

std::string place_of(std::uintptr_t address) {
  const engine::LoadedModule* const module = engine::module_at(address);
  if (module == nullptr) return {};
  const std::string line = report::lines_of({{module->path, address - module->bias, {}}});
  return line.empty() ? line : " at " + line;
}

}  // namespace

Watchdog::Watchdog(bool is_needed) {
  state = {};
  if (!is_needed) return;
  engine::note_loaded_code();
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = kSignal;
  event._sigev_un._tid = raw::thread_id();
  if (raw::syscall6(SYS_timer_create, CLOCK_MONOTONIC, reinterpret_cast<long>(&event), reinterpret_cast<long>(&timer_),
                    0, 0, 0) != 0)
    return;
  struct sigaction action {};
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
  sigaction(kSignal, &action, &before);
  state.timer = timer_;
  set_timer(kSeldomNs);
}

Watchdog::~Watchdog() {
  if (timer_ < 0) return;
  raw::syscall6(SYS_timer_delete, timer_, 0, 0, 0, 0, 0);
  sigaction(kSignal, &before, nullptr);
}

bool Watchdog::has_given_up() { return state.cuts >= kCutsMax; }

std::string Watchdog::note() {
  if (state.who == kNoOperation) return {};
  return "  note    control is partial: T" + std::to_string(index(state.who)) +
         (state.was_in_kernel ? " is in a system call that heddle does not control"
                              : " computes without coming to a scheduling point") +
         place_of(state.place) + (has_given_up() ? "; too many executions were cut for that reason to go on" : "") +
         "\n";
}

}  // namespace heddle
