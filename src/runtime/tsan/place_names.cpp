#include "runtime/tsan/place_names.hpp"

#include <link.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

namespace heddle::runtime {

PlaceNames::PlaceNames() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* argument) {
        const std::string path = info->dlpi_name;
        Module module{path.substr(path.rfind('/') + 1), info->dlpi_addr, ~std::uintptr_t{0}, 0};
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
          module.low = std::min<std::uintptr_t>(module.low, info->dlpi_addr + header.p_vaddr);
          module.high = std::max<std::uintptr_t>(module.high, info->dlpi_addr + header.p_vaddr + header.p_memsz);
        }
        static_cast<std::vector<Module>*>(argument)->push_back(std::move(module));
        return 0;
      },
      &modules_);
}

std::string PlaceNames::of(const void* place) const {
  const auto address = reinterpret_cast<std::uintptr_t>(place);
  for (const Module& module : modules_) {
    if (address < module.low || address > module.high) continue;
    char offset[32];
    std::snprintf(offset, sizeof offset, "+0x%zx", address - module.bias);
    return module.name + offset;
  }
  return {};
}

const void* PlaceNames::place(std::string_view name) const {
  const std::size_t plus = name.rfind("+0x");
  std::uintptr_t offset = 0;
  if (plus == std::string_view::npos ||
      std::from_chars(name.data() + plus + 3, name.data() + name.size(), offset, 16).ec != std::errc())
    return nullptr;
  for (const Module& module : modules_)
    if (module.name == name.substr(0, plus)) return reinterpret_cast<const void*>(module.bias + offset);
  return nullptr;
}

const void* code_ending_in(std::uint32_t low_bits) {
  struct Search {
    std::uint32_t low_bits;
    std::uintptr_t found = 0;
  } search{low_bits};
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* argument) {
        auto& wanted = *static_cast<Search*>(argument);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          std::uintptr_t address = (begin & ~std::uintptr_t{0xffff'ffff}) | wanted.low_bits;
          if (address < begin) address += std::uintptr_t{1} << 32;
          if (address <= begin + header.p_memsz) wanted.found = address;
        }
        return wanted.found != 0 ? 1 : 0;
      },
      &search);
  return reinterpret_cast<const void*>(search.found);
}

}  // namespace heddle::runtime
