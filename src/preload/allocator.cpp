#include "preload/allocator.hpp"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>

#include <string_view>

extern "C" void __asan_init() __attribute__((weak));

namespace heddle::preload {

constinit Heap heap_in_use = Heap::unknown;
constinit Allocator allocator{};

namespace {

/// The module that an address belongs to; null: none.
const void* module_of(const void* address) {
  Dl_info found{};
  return dladdr(address, &found) != 0 ? found.dli_fbase : nullptr;
}

std::string_view file_of(const void* address) {
  Dl_info found{};
  if (dladdr(address, &found) == 0 || found.dli_fname == nullptr) return {};
  const std::string_view path = found.dli_fname;
  return path.substr(path.rfind('/') + 1);
}

bool is_in_libc(const void* address) {
  return module_of(address) == module_of(reinterpret_cast<void*>(gnu_get_libc_version));
}

/// The first module after that of `address` that defines malloc, to look up functions in.
void* module_after(void* address) {
  Dl_info unused{};
  link_map* map = nullptr;
  if (dladdr1(address, &unused, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0) return nullptr;
  for (map = map->l_next; map != nullptr; map = map->l_next) {
    void* const module = dlopen(map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    void* const found = module != nullptr ? dlsym(module, "malloc") : nullptr;
    if (found != nullptr && module_of(found) == module_of(map->l_ld)) return module;
  }
  return nullptr;
}

/// Where the allocator of the program is found; null: it has none of its own. Programs that `heddle cc` links have one
/// of heddle's, which tells the memory watch of libc's blocks. That is done here, and another one may be behind it.
void* module_with_allocator() {
  void* const next = dlsym(RTLD_NEXT, "malloc");
  if (next == nullptr || is_in_libc(next)) return nullptr;
  if (!file_of(next).starts_with("libheddle")) return RTLD_NEXT;
  void* const module = module_after(next);
  return module == nullptr || is_in_libc(dlsym(module, "malloc")) ? nullptr : module;
}

void find_all(void* module) {
  const auto find = [module]<typename Function>(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(module, name));
  };
  find(allocator.malloc, "malloc");
  find(allocator.free, "free");
  find(allocator.calloc, "calloc");
  find(allocator.realloc, "realloc");
  find(allocator.posix_memalign, "posix_memalign");
  find(allocator.aligned_alloc, "aligned_alloc");
  find(allocator.memalign, "memalign");
  find(allocator.valloc, "valloc");
  find(allocator.pvalloc, "pvalloc");
  find(allocator.malloc_usable_size, "malloc_usable_size");
}

/// The function that the program calls by this name. A program that takes the address of a function of a library may
/// have a stub of its own for it, under the same name: that is no definition, and null is returned.
const void* bound_by_program(const char* name) {
  const void* const found = dlsym(dlopen(nullptr, RTLD_LAZY), name);
  Dl_info module{};
  void* symbol = nullptr;
  if (found == nullptr || dladdr1(found, &module, &symbol, RTLD_DL_SYMENT) == 0) return nullptr;
  const auto* const entry = static_cast<const ElfW(Sym)*>(symbol);
  return entry != nullptr && entry->st_shndx == SHN_UNDEF ? nullptr : found;
}

bool defines_malloc_itself() {
  if (&__asan_init != nullptr) return true;
  const void* const bound = bound_by_program("malloc");
  return bound != nullptr && module_of(bound) != module_of(&heap_in_use);
}

}  // namespace

void find_allocator() {
  heap_in_use = Heap::of_heddle;
  void* const module = module_with_allocator();
  if (module == nullptr) return;
  find_all(module);
  heap_in_use = Heap::of_program;
}

bool has_own_allocator() { return heap_in_use == Heap::of_program || defines_malloc_itself(); }

std::string describe_allocator() {
  if (&__asan_init != nullptr) return "it has the allocator of AddressSanitizer";
  if (defines_malloc_itself()) return "it defines malloc itself";
  return "it brings an allocator of its own: " + std::string(file_of(reinterpret_cast<void*>(allocator.malloc)));
}

}  // namespace heddle::preload
