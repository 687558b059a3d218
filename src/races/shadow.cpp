#include "races/shadow.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "base/raw.hpp"

namespace heddle::races {
namespace {

constexpr std::size_t kPage = 4096;

/// Whole pages go back to the kernel, which provides zeros when they are touched again.
void zero(char* begin, char* end) {
  constexpr std::size_t kFewBytes = 16 * kPage;
  if (static_cast<std::size_t>(end - begin) <= kFewBytes) {
    std::memset(begin, 0, static_cast<std::size_t>(end - begin));
    return;
  }
  char* const first = begin + (-reinterpret_cast<std::uintptr_t>(begin) & (kPage - 1));
  char* const last = end - (reinterpret_cast<std::uintptr_t>(end) & (kPage - 1));
  std::memset(begin, 0, static_cast<std::size_t>(first - begin));
  std::memset(last, 0, static_cast<std::size_t>(end - last));
  raw::syscall6(SYS_madvise, reinterpret_cast<long>(first), last - first, MADV_DONTNEED, 0, 0, 0);
}

}  // namespace

void Shadow::open() {
  if (directory_ == nullptr) directory_ = static_cast<Cell**>(raw::map_pages((kDirectoryMask + 1) * sizeof(Cell*)));
}

Cell& Shadow::make(std::uintptr_t address) {
  auto* const region = static_cast<Cell*>(raw::map_pages(kRegion / kGranule * sizeof(Cell)));
  directory_[(address >> kRegionBits) & kDirectoryMask] = region;  // all zero, which is a cell's initial state
  regions_.push_back(region);
  return region[(address % kRegion) / kGranule];
}

void Shadow::clear(std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t end = begin + bytes;
  for (std::uintptr_t at = begin; at < end;) {
    const std::uintptr_t next = std::min(end, (at / kRegion + 1) * kRegion);
    if (Cell* const first = find(at)) {
      const std::size_t count = (next - 1) / kGranule - at / kGranule + 1;
      zero(reinterpret_cast<char*>(first), reinterpret_cast<char*>(first + count));
    }
    at = next;
  }
}

void Shadow::clear_all() {
  for (Cell* const region : regions_)
    zero(reinterpret_cast<char*>(region), reinterpret_cast<char*>(region + kRegion / kGranule));
}

}  // namespace heddle::races
