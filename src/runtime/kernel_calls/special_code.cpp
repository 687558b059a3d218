#include "runtime/kernel_calls/special_code.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>

#include "base/arch/x86_64/instruction_length.hpp"
#include "base/page_vector.hpp"
#include "base/raw.hpp"
#include "engine/own_module.hpp"
#include "runtime/kernel_calls/function_starts.hpp"

namespace heddle::runtime {
namespace {

using Code = std::span<const unsigned char>;

template <typename Visit>
void for_each_segment(const dl_phdr_info& module, const Visit& visit) {
  for (int i = 0; i < module.dlpi_phnum; ++i) {
    const ElfW(Phdr)& header = module.dlpi_phdr[i];
    if (header.p_type == PT_LOAD && (header.p_flags & PF_X) != 0)
      visit(Code(reinterpret_cast<const unsigned char*>(module.dlpi_addr + header.p_vaddr), header.p_memsz));
  }
}

bool holds(const dl_phdr_info& module, std::uintptr_t address) {
  bool found = false;
  for (int i = 0; i < module.dlpi_phnum && !found; ++i) {
    const ElfW(Phdr)& header = module.dlpi_phdr[i];
    const std::uintptr_t begin = module.dlpi_addr + header.p_vaddr;
    found = header.p_type == PT_LOAD && address >= begin && address < begin + header.p_memsz;
  }
  return found;
}

CodeRange code_of(const dl_phdr_info& module) {
  CodeRange all{~std::uintptr_t{0}, 0};
  for_each_segment(module, [&](Code code) {
    const auto begin = reinterpret_cast<std::uintptr_t>(code.data());
    all = {std::min(all.begin, begin), std::max(all.end, begin + code.size())};
  });
  return all;
}

/// The modules that do not count, each found by an address in it. All are there from the start.
struct Apart {
  static constexpr std::size_t kCount = 5;
  std::array<std::uintptr_t, kCount> known = {reinterpret_cast<std::uintptr_t>(dlsym(RTLD_NEXT, "syscall")),  // libc
                                              getauxval(AT_BASE), getauxval(AT_SYSINFO_EHDR), engine::own_module().low,
                                              reinterpret_cast<std::uintptr_t>(dlsym(RTLD_DEFAULT, "__asan_init"))};
  std::array<CodeRange, kCount> code{};

  Apart() { dl_iterate_phdr(visit, this); }
  bool has(const dl_phdr_info& module) const {
    return std::any_of(known.begin(), known.end(),
                       [&](std::uintptr_t address) { return address != 0 && holds(module, address); });
  }

 private:
  static int visit(dl_phdr_info* module, std::size_t, void* argument) {
    auto& self = *static_cast<Apart*>(argument);
    for (std::size_t i = 0; i < kCount; ++i)
      if (self.known[i] != 0 && holds(*module, self.known[i])) self.code[i] = code_of(*module);
    return 0;
  }
};

const Apart& apart() {
  static const Apart one;
  return one;
}

/// Prefixes of the instruction whose opcode is at `at` belong to it.
std::size_t with_prefixes(Code code, std::size_t at, std::size_t limit) {
  while (at > limit && is_prefix(code[at - 1])) --at;
  return at;
}

enum class Sure { no, perhaps, yes };

/// Does an instruction begin at the opcode, or at prefixes just before it? Where functions begin is not known of all
/// code, and there may be data among it.
Sure is_instruction(Code code, std::size_t opcode, const FunctionStarts& functions) {
  const std::uintptr_t start = functions.start_of(reinterpret_cast<std::uintptr_t>(code.data() + opcode));
  const auto begin = reinterpret_cast<std::uintptr_t>(code.data());
  if (start < begin) return Sure::perhaps;
  std::size_t at = start - begin;
  const std::size_t first = with_prefixes(code, opcode, at);
  while (at < first) {
    const std::size_t length = instruction_length(code.subspan(at));
    if (length == 0) return Sure::perhaps;
    at += length;
  }
  return at <= opcode ? Sure::yes : Sure::no;
}

/// To trap what is not there costs little. What cannot be trapped is named, and must be there.
Sure needed_for(SpecialInstruction kind) {
  const bool is_trapped = kind == SpecialInstruction::system_call || kind == SpecialInstruction::read_clock;
  return is_trapped ? Sure::perhaps : Sure::yes;
}

class Search {
 public:
  explicit Search(SpecialCode& found) : found_(found) {}

  static int visit(dl_phdr_info* module, std::size_t, void* search) {
    auto& self = *static_cast<Search*>(search);
    if (!apart().has(*module) && self.is_new(*module)) self.look_at(*module);
    return 0;
  }

 private:
  /// Modules that are loaded later are searched then, and the others not again.
  bool is_new(const dl_phdr_info& module) {
    const CodeRange code = code_of(module);
    if (std::any_of(seen_.begin(), seen_.end(), [&](const CodeRange& one) { return one.begin == code.begin; }))
      return false;
    seen_.push_back(code);
    return true;
  }

  void look_at(const dl_phdr_info& module) {
    draws_are_ours_ = std::strstr(module.dlpi_name, "libstdc++.so") != nullptr;
    const FunctionStarts functions(module);
    for_each_segment(module, [&](Code code) {
      for (const unsigned char beginning : kSpecialBeginnings) look_for(beginning, code, module, functions);
    });
  }

  void look_for(unsigned char beginning, Code code, const dl_phdr_info& module, const FunctionStarts& functions) {
    for (std::size_t at = 0; at < code.size(); ++at) {
      const void* const next = std::memchr(code.data() + at, beginning, code.size() - at);
      if (next == nullptr) return;
      at = static_cast<std::size_t>(static_cast<const unsigned char*>(next) - code.data());
      const SpecialInstruction kind = special_instruction(code.subspan(at));
      if (kind == SpecialInstruction::none || found_.has(kind)) continue;
      if (kind == SpecialInstruction::random && draws_are_ours_) continue;
      if (is_instruction(code, at, functions) >= needed_for(kind)) note(kind, module, code.data() + at);
    }
  }

  void note(SpecialInstruction kind, const dl_phdr_info& module, const unsigned char* at) {
    SpecialPlace& place = found_.first[static_cast<std::size_t>(kind)];
    place.offset = reinterpret_cast<std::uintptr_t>(at) - module.dlpi_addr;
    std::snprintf(place.module, sizeof place.module, "%s", module.dlpi_name);
    if (place.module[0] != '\0') return;  // the program itself has no name there
    const long length = raw::syscall6(SYS_readlink, reinterpret_cast<long>("/proc/self/exe"),
                                      reinterpret_cast<long>(place.module), sizeof place.module - 1, 0, 0, 0);
    place.module[std::max(length, 0l)] = '\0';
  }

  SpecialCode& found_;
  PageVector<CodeRange> seen_;
  bool draws_are_ours_ = false;  // heddle stands in for std::random_device
};

unsigned long long loaded_so_far() {
  unsigned long long count = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* module, std::size_t, void* result) {
        *static_cast<unsigned long long*>(result) = module->dlpi_adds;
        return 1;
      },
      &count);
  return count;
}

}  // namespace

const SpecialCode& special_code() {
  static SpecialCode found;
  static Search search(found);
  static unsigned long long searched_at = 0;
  const unsigned long long now = loaded_so_far();
  if (now == searched_at) return found;
  searched_at = now;
  dl_iterate_phdr(Search::visit, &search);
  return found;
}

CodeRange code_of_libc() { return apart().code[0]; }

bool is_code_of_program(const void* address) {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  const auto holds_it = [&](const CodeRange& range) { return wanted >= range.begin && wanted < range.end; };
  return std::none_of(apart().code.begin(), apart().code.end(), holds_it);
}

}  // namespace heddle::runtime
