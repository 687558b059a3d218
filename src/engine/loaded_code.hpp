// The modules whose code runs in this process, for signal handlers: which one an address belongs to, and whether an
// operation may be made to yield there.
#pragma once

#include <cstdint>

namespace heddle::engine {

struct LoadedModule {
  char path[200];
  std::uintptr_t bias;
  std::uintptr_t low;
  std::uintptr_t high;
  bool is_heddles;
  bool may_yield;  // the code holds no lock of libc, the loader or heddle
};

/// Call before the first `module_at`, not in a handler.
void note_loaded_code();
/// Null: in none that was loaded then.
const LoadedModule* module_at(std::uintptr_t address);

}  // namespace heddle::engine
