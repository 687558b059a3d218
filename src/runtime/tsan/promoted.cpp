#include "runtime/tsan/promoted.hpp"

#include <link.h>

#include <algorithm>
#include <charconv>
#include <new>
#include <sstream>
#include <vector>

#include "base/raw.hpp"

namespace heddle::runtime {
namespace {

struct Module {
  std::string name;  // without its folders; of the program itself: empty
  std::uintptr_t bias;
  std::uintptr_t low;
  std::uintptr_t high;
};

std::vector<Module> modules_with_code() {
  std::vector<Module> modules;
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
      &modules);
  return modules;
}

}  // namespace

Promoted::Places& Promoted::places() {
  if (places_ != nullptr) return *places_;
  struct Shared {
    Places places;
    std::size_t last_in_use = 0;
  };
  auto* const shared = new (raw::common_pages.map(sizeof(Shared))) Shared;
  last_in_use_ = &shared->last_in_use;
  places_ = &shared->places;
  return *places_;
}

void Promoted::begin(bool again) {
  const std::size_t all = places().size();
  in_use_ = again ? *last_in_use_ : all;
  *last_in_use_ = in_use_;
}

std::size_t Promoted::find(const void* place) const {
  std::size_t i = 0;
  while (i < size() && (*places_)[i] != place) ++i;
  return i;
}

void Promoted::add(const void* place) {
  if (find(place) == size()) places().push_back(place);
}

std::string Promoted::text(std::size_t count) const {
  std::ostringstream out;
  const std::vector<Module> modules = modules_with_code();
  for (std::size_t i = 0; i < std::min(count, size()); ++i) {
    const auto address = reinterpret_cast<std::uintptr_t>((*places_)[i]);
    const auto module = std::find_if(modules.begin(), modules.end(), [address](const Module& candidate) {
      return address >= candidate.low && address <= candidate.high;
    });
    if (module != modules.end())
      out << (i == 0 ? "" : " ") << module->name << "+0x" << std::hex << address - module->bias;
  }
  return out.str();
}

void Promoted::add_all(const std::string& text) {
  places();  // before anybody is forked who is to share them
  std::istringstream in(text);
  const std::vector<Module> modules = modules_with_code();
  for (std::string word; in >> word;) {
    const std::size_t plus = word.rfind("+0x");
    std::uintptr_t offset = 0;
    if (plus == std::string::npos ||
        std::from_chars(word.data() + plus + 3, word.data() + word.size(), offset, 16).ec != std::errc())
      continue;
    for (const Module& module : modules)
      if (module.name == word.substr(0, plus)) add(reinterpret_cast<const void*>(module.bias + offset));
  }
  *last_in_use_ = size();  // a replay begins with them
}

bool Promoted::has(const void* place) const { return find(place) < in_use_; }

}  // namespace heddle::runtime
