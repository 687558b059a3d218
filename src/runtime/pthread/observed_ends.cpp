#include "runtime/pthread/observed_ends.hpp"

#include <cstdint>
#include <string_view>

#include "runtime/imports.hpp"

namespace heddle::runtime {

bool imports_observers_of_ends() {
  static constexpr std::string_view kObservers[] = {"pthread_tryjoin_np", "pthread_timedjoin_np",
                                                    "pthread_clockjoin_np"};
  // Looking through all relocations takes tens of microseconds, and every exploration asks.
  static std::uint64_t looked_at = 0;
  static bool found = false;
  if (const std::uint64_t loaded = loaded_modules(); loaded != looked_at) {
    found = imports_any(kObservers);
    looked_at = loaded;
  }
  return found;
}

}  // namespace heddle::runtime
