#include "preload/unwinder.hpp"

#include <dlfcn.h>

#include <string_view>

#include "runtime/imports.hpp"

namespace heddle::preload {

void load_unwinder_if_needed() {
  static constexpr std::string_view kUsers[] = {"pthread_exit", "pthread_cancel", "thrd_exit", "backtrace"};
  if (runtime::imports_any(kUsers)) dlopen("libgcc_s.so.1", RTLD_NOW);
}

}  // namespace heddle::preload
