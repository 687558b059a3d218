#include "preload/memory_image.hpp"

#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/raw.hpp"
#include "preload/heap.hpp"

extern "C" char** environ;

namespace heddle::preload {
namespace {

constexpr std::uintptr_t kPage = 4096;
constexpr std::size_t kCopiedMax = 4u << 20;     // above this, a fork is cheaper than copying everything back
constexpr std::size_t kTrackedMax = 512u << 20;  // scanning this many pages takes a third of a millisecond

/// Tests force one with a variable. A method that does not work counts as none.
engine::PageTracking tracking_here() {
  using engine::PageTracking;
  const char* const wanted = ::secure_getenv("HEDDLE_PAGE_TRACKING");
  if (wanted == nullptr) return engine::TouchedPages::best();
  const PageTracking means = std::strcmp(wanted, "scan") == 0         ? PageTracking::scan
                             : std::strcmp(wanted, "soft-dirty") == 0 ? PageTracking::soft_dirty
                                                                      : PageTracking::none;
  return engine::TouchedPages::works(means) ? means : PageTracking::none;
}

char* page_below(std::uintptr_t address) { return reinterpret_cast<char*>(address & ~(kPage - 1)); }
char* page_above(std::uintptr_t address) { return page_below(address + kPage - 1); }

bool is_heddles(const dl_phdr_info& info) {
  const std::string_view path = info.dlpi_name;
  return path.find("libheddle_preload") != std::string_view::npos || path.find("linux-vdso") != std::string_view::npos;
}

/// Zeroes what was used since. A large range is returned to the kernel, which is cheaper than writing zeroes.
void clear(char* begin, char* end) {
  constexpr std::ptrdiff_t kLarge = 256 * 1024;
  if (end - begin > kLarge) {
    char* const whole = page_above(reinterpret_cast<std::uintptr_t>(begin));
    char* const last = page_above(reinterpret_cast<std::uintptr_t>(end));
    raw::syscall6(SYS_madvise, reinterpret_cast<long>(whole), last - whole, MADV_DONTNEED, 0, 0, 0);
    end = whole;
  }
  if (begin < end) std::memset(begin, 0, static_cast<std::size_t>(end - begin));
}

}  // namespace

// The part of a segment that becomes read-only after relocation never changes.
void MemoryImage::add_segments() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* image) {
        if (is_heddles(*info)) return 0;
        char* relro_end = nullptr;
        for (int i = 0; i < info->dlpi_phnum; ++i)
          if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO)
            relro_end = page_below(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0) continue;
          char* begin = page_below(info->dlpi_addr + header.p_vaddr);
          char* const end = page_above(info->dlpi_addr + header.p_vaddr + header.p_memsz);
          if (relro_end > begin && relro_end <= end) begin = relro_end;
          static_cast<MemoryImage*>(image)->memory_.add(begin, end);
        }
        return 0;
      },
      this);
}

// The strings lie one after the other at the far end of the first stack, and a program may write to them.
void MemoryImage::add_arguments() {
  char* end = nullptr;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    char* const after = *variable + std::strlen(*variable) + 1;
    if (after > end) end = after;
  }
  if (environ != nullptr && reinterpret_cast<char*>(environ) < end) memory_.add(reinterpret_cast<char*>(environ), end);
}

bool MemoryImage::find() {
  add_segments();
  add_arguments();
  const HeapExtent heap = heap_extent();
  heap_bytes_ = heap.bytes;
  memory_.add(heap.begin, heap.begin + heap.bytes);
  if (memory_.has_large_parts()) tracking_ = tracking_here();
  return memory_.bytes() <= (tracking_ == engine::PageTracking::none ? kCopiedMax : kTrackedMax);
}

void MemoryImage::put_back() {
  const HeapExtent heap = heap_extent();
  clear(heap.begin + heap_bytes_, heap.begin + heap.bytes);
  memory_.put_back();
}

}  // namespace heddle::preload
