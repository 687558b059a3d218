#include "runtime/imports.hpp"

#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace heddle::runtime {
namespace {

using Names = std::span<const std::string_view>;

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

bool asks_for(const Dynamic& dynamic, const ElfW(Rela) * relocations, std::size_t count, Names names) {
  if (relocations == nullptr) return false;
  return std::any_of(relocations, relocations + count, [&](const ElfW(Rela) & relocation) {
    const std::size_t symbol = ELF64_R_SYM(relocation.r_info);
    if (symbol == 0 || dynamic.symbols[symbol].st_shndx != SHN_UNDEF) return false;
    const std::string_view name = dynamic.names + dynamic.symbols[symbol].st_name;
    return std::find(names.begin(), names.end(), name) != names.end();
  });
}

int look(dl_phdr_info* module, std::size_t, void* names) {
  const Dynamic dynamic = read(*module);
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) return 0;
  const Names wanted = *static_cast<const Names*>(names);
  return asks_for(dynamic, dynamic.jumps, dynamic.jump_count, wanted) ||
                 asks_for(dynamic, dynamic.others, dynamic.other_count, wanted)
             ? 1
             : 0;
}

}  // namespace

bool imports_any(std::span<const std::string_view> names) { return dl_iterate_phdr(look, &names) != 0; }

std::uint64_t loaded_modules() {
  std::uint64_t loads_and_unloads = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* counted) {
        *static_cast<std::uint64_t*>(counted) = module->dlpi_adds + module->dlpi_subs;
        return 1;  // the counts are the same in every module
      },
      &loads_and_unloads);
  return loads_and_unloads;
}

}  // namespace heddle::runtime
