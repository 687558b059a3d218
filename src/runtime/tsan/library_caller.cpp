#include "runtime/tsan/library_caller.hpp"

#include <link.h>
#include <unwind.h>

#include <cstdint>
#include <cstring>

#include "engine/control.hpp"

namespace heddle::runtime {
namespace {

struct Code {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
  bool has(std::uintptr_t address) const { return address > low && address <= high; }
};

bool is_library(const char* path) {
  const char* const slash = std::strrchr(path, '/');
  const char* const name = slash != nullptr ? slash + 1 : path;
  return std::strncmp(name, "libstdc++.so", 12) == 0 || std::strncmp(name, "libc++.so", 9) == 0;
}

/// The code of the C++ library, if one is loaded.
Code library_code() {
  Code code;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* argument) {
        if (!is_library(info->dlpi_name)) return 0;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          *static_cast<Code*>(argument) = {begin, begin + header.p_memsz};
        }
        return 1;
      },
      &code);
  return code;
}

struct Walk {
  Code library;
  std::uintptr_t place;
  bool is_inside = false;  // has reached `place`
  std::uintptr_t found = 0;
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* argument) {
  auto& walk = *static_cast<Walk*>(argument);
  const std::uintptr_t address = _Unwind_GetIP(context);
  walk.is_inside |= address == walk.place;
  if (!walk.is_inside || walk.library.has(address)) return _URC_NO_REASON;
  walk.found = address;
  return _URC_END_OF_STACK;
}

}  // namespace

const void* caller_of_library(const void* place) {
  const engine::Uncontrolled heddle_at_work;
  Walk walk{library_code(), reinterpret_cast<std::uintptr_t>(place)};
  if (!walk.library.has(walk.place)) return place;
  _Unwind_Backtrace(visit, &walk);
  return walk.found != 0 ? reinterpret_cast<const void*>(walk.found) : place;
}

}  // namespace heddle::runtime
