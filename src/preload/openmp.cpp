#include "preload/openmp.hpp"

#include <cstdlib>

/// Of libomp, if the program is linked with it. Not looked up by name: the loader allocates a message from the
/// program's heap where there is no such function.
extern "C" [[gnu::weak]] void kmp_set_defaults(const char* setting);

namespace heddle::preload {

void settle_openmp() {
  if (&kmp_set_defaults == nullptr) return;
  if (std::getenv("KMP_BLOCKTIME") == nullptr && std::getenv("OMP_WAIT_POLICY") == nullptr)
    kmp_set_defaults("KMP_BLOCKTIME=infinite");
}

}  // namespace heddle::preload
