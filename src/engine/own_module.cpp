#include "engine/own_module.hpp"

#include <link.h>

#include <algorithm>

namespace heddle::engine {
namespace {

struct Search {
  OwnModule found;
  bool is_first = true;
};

int look_at(dl_phdr_info* info, std::size_t, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  OwnModule module{~std::uintptr_t{0}, 0, !search.is_first};  // the program itself is the first
  search.is_first = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD) continue;
    module.low = std::min<std::uintptr_t>(module.low, info->dlpi_addr + header.p_vaddr);
    module.high = std::max<std::uintptr_t>(module.high, info->dlpi_addr + header.p_vaddr + header.p_memsz);
  }
  if (!module.contains(reinterpret_cast<std::uintptr_t>(&own_module))) return 0;
  search.found = module;
  return 1;
}

OwnModule find() {
  Search search;
  dl_iterate_phdr(look_at, &search);
  return search.found;
}

}  // namespace

const OwnModule& own_module() {
  static const OwnModule module = find();
  return module;
}

}  // namespace heddle::engine
