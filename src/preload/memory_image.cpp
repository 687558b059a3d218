#include "preload/memory_image.hpp"

#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "preload/heap.hpp"

extern "C" char** environ;

namespace heddle::preload {
namespace {

constexpr std::uintptr_t kPage = 4096;

char* page_below(std::uintptr_t address) { return reinterpret_cast<char*>(address & ~(kPage - 1)); }
char* page_above(std::uintptr_t address) { return page_below(address + kPage - 1); }

bool is_heddles(const dl_phdr_info& info) {
  const std::string_view path = info.dlpi_name;
  return path.find("libheddle_preload") != std::string_view::npos || path.find("linux-vdso") != std::string_view::npos;
}

}  // namespace

void MemoryImage::add(char* begin, char* end) {
  if (begin < end) regions_.push_back({begin, static_cast<std::size_t>(end - begin)});
}

// Of a segment the part that is made read-only after relocation never changes.
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
          static_cast<MemoryImage*>(image)->add(begin, end);
        }
        return 0;
      },
      this);
}

// The strings stand one after the other at the far end of the first stack, and a program may write to them.
void MemoryImage::add_arguments() {
  char* end = nullptr;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    char* const after = *variable + std::strlen(*variable) + 1;
    if (after > end) end = after;
  }
  if (environ != nullptr && reinterpret_cast<char*>(environ) < end) add(reinterpret_cast<char*>(environ), end);
}

void MemoryImage::take() {
  regions_.clear();
  saved_.clear();
  add_segments();
  add_arguments();
  const HeapExtent heap = heap_extent();
  heap_bytes_ = heap.bytes;
  add(heap.begin, heap.begin + heap.bytes);
  std::size_t bytes = 0;
  for (const Region& region : regions_) bytes += region.bytes;
  saved_.resize(bytes);
  char* to = saved_.data();
  for (const Region& region : regions_) {
    std::memcpy(to, region.begin, region.bytes);
    to += region.bytes;
  }
}

void MemoryImage::put_back() const {
  const HeapExtent heap = heap_extent();
  if (heap.bytes > heap_bytes_) std::memset(heap.begin + heap_bytes_, 0, heap.bytes - heap_bytes_);
  const char* from = saved_.data();
  for (const Region& region : regions_) {
    std::memcpy(region.begin, from, region.bytes);
    from += region.bytes;
  }
}

}  // namespace heddle::preload
