#include "preload/watchdog.hpp"

#include <signal.h>
#include <unwind.h>

#include <cstdint>
#include <cstdio>

#include "base/arch/x86_64/frames.hpp"
#include "base/raw.hpp"
#include "engine/control.hpp"
#include "engine/execution.hpp"
#include "engine/loaded_code.hpp"

namespace heddle::preload {
namespace {

constexpr unsigned kPokesAtFirst = 50;  // at the same step before the operation is made to yield
constexpr unsigned kPokesLater = 2;

Channel* the_channel = nullptr;
std::uint64_t last_step = 0;
std::uint64_t last_execution = 0;
std::uint64_t yields = 0;  // that the watchdog made, in this execution: they are no progress
unsigned same_step = 0;
bool has_named = false;

void note_place(std::uintptr_t address) {
  const engine::LoadedModule* module = engine::module_at(address);
  if (module == nullptr || module->is_heddles || the_channel->stuck_depth == kStuckDepthMax) return;
  StuckPlace& place = the_channel->stuck_places[the_channel->stuck_depth++];
  std::snprintf(place.module, sizeof place.module, "%s", module->path);
  place.offset = address - module->bias;
}

_Unwind_Reason_Code visit(_Unwind_Context* context, void* from) {
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  auto& begin_at = *static_cast<std::uintptr_t*>(from);
  if (begin_at != 0 && address != begin_at) return _URC_NO_REASON;  // frames of this handler
  begin_at = 0;
  note_place(address);
  return _URC_NO_REASON;
}

void name_it(std::uintptr_t instruction, bool in_kernel, OperationId who) {
  the_channel->stuck_depth = 0;
  _Unwind_Backtrace(visit, &instruction);
  std::snprintf(
      the_channel->stuck_text, sizeof the_channel->stuck_text, "T%u %s", index(who),
      in_kernel ? "is in a system call that heddle does not control" : "computes without coming to a scheduling point");
  the_channel->stuck.fetch_add(1, std::memory_order_relaxed);
}

/// Whether the operation has stood at this step for long enough. If one did before, that is soon.
bool stands_still(std::uint64_t step) {
  const std::uint64_t number = the_channel->counts.begun.load(std::memory_order_relaxed);
  if (number != last_execution) yields = 0;
  the_channel->counts.steps_told.store(step - yields, std::memory_order_relaxed);
  if (step != last_step || number != last_execution) {
    last_step = step;
    last_execution = number;
    same_step = 0;
    return false;
  }
  return ++same_step >= (the_channel->stuck == 0 ? kPokesAtFirst : kPokesLater);
}

void on_poke(int, siginfo_t*, void* raw_context) {
  engine::Execution* const execution = engine::control.execution;
  if (execution == nullptr || !engine::is_controlled() || !stands_still(execution->scheduler().steps())) return;
  const std::uintptr_t instruction = interrupted_instruction(raw_context);
  const engine::LoadedModule* const module = engine::module_at(instruction);
  const bool in_kernel =
      module != nullptr && raw::is_at_system_call(reinterpret_cast<const unsigned char*>(instruction));
  if (!has_named) {
    has_named = true;
    const engine::Uncontrolled heddle_at_work;
    name_it(instruction, in_kernel, execution->self());
  }
  if (in_kernel || module == nullptr || !module->may_yield) return;
  ++yields;
  execution->step({model::EventKind::yield, kNoResource, reinterpret_cast<const void*>(instruction)});
}

}  // namespace

void install_watchdog(Channel& channel) {
  the_channel = &channel;
  engine::note_loaded_code();
  struct sigaction action {};
  action.sa_sigaction = on_poke;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
  sigaction(kPoke, &action, nullptr);
}

}  // namespace heddle::preload
