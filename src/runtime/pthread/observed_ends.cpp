#include "runtime/pthread/observed_ends.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace heddle::runtime {
namespace {

constexpr std::string_view kObservers[] = {"pthread_tryjoin_np", "pthread_timedjoin_np", "pthread_clockjoin_np"};

/// The dynamic section of one module, as far as its symbols need it.
struct Dynamic {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * jumps = nullptr;  // relocations of functions that are called
  std::size_t jump_count = 0;
  const ElfW(Rela) * others = nullptr;  // of functions whose address is taken, or that are called without a stub
  std::size_t other_count = 0;
};

const ElfW(Dyn) * dynamic_section(const dl_phdr_info& module) {
  for (int i = 0; i < module.dlpi_phnum; ++i)
    if (module.dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn)*>(module.dlpi_addr + module.dlpi_phdr[i].p_vaddr);
  return nullptr;
}

Dynamic read(const dl_phdr_info& module) {
  Dynamic dynamic;
  // The dynamic linker has relocated these pointers in every module but the kernel's own.
  const auto at = [&](ElfW(Addr) pointer) { return pointer < module.dlpi_addr ? module.dlpi_addr + pointer : pointer; };
  for (const ElfW(Dyn)* entry = dynamic_section(module); entry != nullptr && entry->d_tag != DT_NULL; ++entry) {
    switch (entry->d_tag) {
      case DT_SYMTAB:
        dynamic.symbols = reinterpret_cast<const ElfW(Sym)*>(at(entry->d_un.d_ptr));
        break;
      case DT_STRTAB:
        dynamic.names = reinterpret_cast<const char*>(at(entry->d_un.d_ptr));
        break;
      case DT_JMPREL:
        dynamic.jumps = reinterpret_cast<const ElfW(Rela)*>(at(entry->d_un.d_ptr));
        break;
      case DT_PLTRELSZ:
        dynamic.jump_count = entry->d_un.d_val / sizeof(ElfW(Rela));
        break;
      case DT_RELA:
        dynamic.others = reinterpret_cast<const ElfW(Rela)*>(at(entry->d_un.d_ptr));
        break;
      case DT_RELASZ:
        dynamic.other_count = entry->d_un.d_val / sizeof(ElfW(Rela));
        break;
      default:
        break;
    }
  }
  return dynamic;
}

bool names_observer(const Dynamic& dynamic, const ElfW(Rela) * relocations, std::size_t count) {
  if (relocations == nullptr) return false;
  return std::any_of(relocations, relocations + count, [&](const ElfW(Rela) & relocation) {
    const std::size_t symbol = ELF64_R_SYM(relocation.r_info);
    if (symbol == 0 || dynamic.symbols[symbol].st_shndx != SHN_UNDEF) return false;
    const std::string_view name = dynamic.names + dynamic.symbols[symbol].st_name;
    return std::find(std::begin(kObservers), std::end(kObservers), name) != std::end(kObservers);
  });
}

int look(dl_phdr_info* module, std::size_t, void* found) {
  const Dynamic dynamic = read(*module);
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) return 0;
  if (!names_observer(dynamic, dynamic.jumps, dynamic.jump_count) &&
      !names_observer(dynamic, dynamic.others, dynamic.other_count))
    return 0;
  *static_cast<bool*>(found) = true;
  return 1;
}

}  // namespace

bool imports_observers_of_ends() {
  bool found = false;
  dl_iterate_phdr(look, &found);
  return found;
}

}  // namespace heddle::runtime
