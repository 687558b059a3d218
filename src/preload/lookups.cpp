// dlsym: a program that looks up a function of libc which heddle replaces gets that of heddle. Otherwise it calls past
// heddle: threads that jemalloc starts by such a pthread_create are not controlled. libc learns from the return address
// which module calls, so this function jumps to that of libc.
//
// A function of heddle's is given only where it stands for exactly what the program would get. A module after heddle
// that wraps a function is called by heddle's own, and must not call that again.
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>

#include "base/arch/x86_64/jump_after.hpp"
#include "runtime/real.hpp"

namespace {

using heddle::runtime::RealFunction;

using Lookup = void*(void*, const char*);

struct Choice {
  void* handle;
  Lookup* lookup;
};

link_map* map_of(const void* address) {
  Dl_info unused{};
  link_map* map = nullptr;
  return dladdr1(address, &unused, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) != 0 ? map : nullptr;
}

bool is_after(const link_map* one, const link_map* other) {
  for (const link_map* each = other->l_next; each != nullptr; each = each->l_next)
    if (each == one) return true;
  return false;
}

Lookup* lookup_of_libc() {
  static constinit Lookup* found = nullptr;  // the same whoever finds it
  if (found == nullptr) found = reinterpret_cast<Lookup*>(dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5"));
  return found;
}

bool would_get(const void* behind, void* handle, const char* name, const link_map* caller, const link_map* self) {
  if (handle != RTLD_NEXT) return lookup_of_libc()(handle, name) == behind;
  return map_of(behind) == map_of(reinterpret_cast<void*>(gnu_get_libc_version)) && is_after(caller, self);
}

}  // namespace

extern "C" [[gnu::used, gnu::visibility("hidden")]] Choice heddle_before_dlsym(void* handle, const char* name,
                                                                               const void* called_from) {
  const Choice unchanged = {handle, lookup_of_libc()};
  if (handle == RTLD_DEFAULT || name == nullptr) return unchanged;
  const link_map* const self = map_of(reinterpret_cast<void*>(heddle_before_dlsym));
  const link_map* const caller = map_of(called_from);
  if (self == nullptr || caller == nullptr || caller == self) return unchanged;
  const void* const behind = RealFunction::behind(name);
  if (behind == nullptr || !would_get(behind, handle, name, caller, self)) return unchanged;
  return map_of(lookup_of_libc()(RTLD_DEFAULT, name)) == self ? Choice{RTLD_DEFAULT, unchanged.lookup} : unchanged;
}

HEDDLE_EXPORT __attribute__((naked)) void* dlsym(void*, const char*) noexcept {
  HEDDLE_JUMP_AFTER_CHOICE(heddle_before_dlsym);
}
