#include "preload/watchdog.hpp"

#include <link.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/raw.hpp"
#include "engine/control.hpp"
#include "engine/execution.hpp"

namespace heddle::preload {
namespace {

constexpr unsigned kPokesAtFirst = 50;  // that find it at the same step before it is made to yield
constexpr unsigned kPokesLater = 2;

struct Module {
  char path[200];
  std::uintptr_t bias;
  std::uintptr_t low;
  std::uintptr_t high;
  bool is_heddles;
  bool may_yield;  // code that holds no lock of libc's, the loader's or heddle's
};

std::array<Module, 64> modules;
std::size_t module_count = 0;
Channel* the_channel = nullptr;
std::uint64_t last_step = 0;
std::uint64_t last_execution = 0;
unsigned same_step = 0;
bool has_yielded = false;

bool is_users(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (const std::string_view prefix : {"libc.so", "ld-linux", "libheddle", "linux-vdso", "libm.so", "libgcc_s"})
    if (file.starts_with(prefix)) return false;
  return true;
}

int note_module(dl_phdr_info* info, std::size_t, void*) {
  if (module_count == modules.size()) return 1;
  Module& module = modules[module_count++];
  std::snprintf(module.path, sizeof module.path, "%s", info->dlpi_name);
  if (module.path[0] == '\0') {
    const long length = raw::syscall6(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                                      reinterpret_cast<long>(module.path), sizeof module.path - 1, 0, 0, 0);
    module.path[std::max(length, 0l)] = '\0';
  }
  module.bias = info->dlpi_addr;
  module.low = ~std::uintptr_t{0};
  module.high = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    module.low = std::min<std::uintptr_t>(module.low, info->dlpi_addr + header.p_vaddr);
    module.high = std::max<std::uintptr_t>(module.high, info->dlpi_addr + header.p_vaddr + header.p_memsz);
  }
  module.is_heddles = std::strstr(module.path, "libheddle") != nullptr;
  module.may_yield = is_users(module.path);
  return 0;
}

const Module* module_of(std::uintptr_t address) {
  for (std::size_t i = 0; i < module_count; ++i)
    if (address >= modules[i].low && address < modules[i].high) return &modules[i];
  return nullptr;
}

void note_place(std::uintptr_t address) {
  const Module* module = module_of(address);
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

/// Just after the instruction, or just before it if the kernel will begin the call again.
bool is_at_system_call(std::uintptr_t instruction) {
  const auto* const code = reinterpret_cast<const unsigned char*>(instruction);
  return (code[-2] == 0x0f && code[-1] == 0x05) || (code[0] == 0x0f && code[1] == 0x05);
}

void on_poke(int, siginfo_t*, void* raw_context) {
  engine::Execution* const execution = engine::control.execution;
  if (execution == nullptr || !engine::is_controlled()) return;
  const std::uint64_t step = execution->scheduler().steps();
  const std::uint64_t number = the_channel->counts.begun.load(std::memory_order_relaxed);
  if (step != last_step || number != last_execution) {
    last_step = step;
    last_execution = number;
    same_step = 0;
    return;
  }
  ++same_step;
  if (same_step < (has_yielded ? kPokesLater : kPokesAtFirst)) return;
  const auto instruction =
      static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(raw_context)->uc_mcontext.gregs[REG_RIP]);
  const Module* const module = module_of(instruction);
  const bool in_kernel = module != nullptr && is_at_system_call(instruction);
  if (same_step == kPokesAtFirst) {
    const engine::Uncontrolled heddle_at_work;
    name_it(instruction, in_kernel, execution->self());
  }
  if (in_kernel || module == nullptr || !module->may_yield) return;
  has_yielded = true;
  execution->step({model::EventKind::yield, kNoResource, reinterpret_cast<const void*>(instruction)});
}

}  // namespace

void install_watchdog(Channel& channel) {
  the_channel = &channel;
  dl_iterate_phdr(note_module, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_poke;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER;
  sigaction(kPoke, &action, nullptr);
}

}  // namespace heddle::preload
