#include "engine/loaded_code.hpp"

#include <link.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/raw.hpp"

namespace heddle::engine {
namespace {

std::array<LoadedModule, 64> modules;
std::size_t module_count = 0;

bool is_users(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  for (const std::string_view prefix : {"libc.so", "ld-linux", "libheddle", "linux-vdso", "libm.so", "libgcc_s"})
    if (file.starts_with(prefix)) return false;
  return true;
}

int note_module(dl_phdr_info* info, std::size_t, void*) {
  if (module_count == modules.size()) return 1;
  LoadedModule& module = modules[module_count++];
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

}  // namespace

void note_loaded_code() {
  module_count = 0;
  dl_iterate_phdr(note_module, nullptr);
}

const LoadedModule* module_at(std::uintptr_t address) {
  for (std::size_t i = 0; i < module_count; ++i)
    if (address >= modules[i].low && address < modules[i].high) return &modules[i];
  return nullptr;
}

}  // namespace heddle::engine
