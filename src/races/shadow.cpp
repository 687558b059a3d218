#include "races/shadow.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "base/raw.hpp"

namespace heddle::races {
namespace {

constexpr std::size_t kPage = 4096;

constexpr std::size_t kFewBytes = 16 * kPage;

/// Whole pages go back to the kernel, which provides zeros when they are touched again.
void zero(char* begin, char* end) {
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
  if (directory_ == nullptr) directory_ = static_cast<Region**>(raw::map_pages((kDirectoryMask + 1) * sizeof(Region*)));
}

Shadow::Region& Shadow::add(std::uintptr_t address) {
  auto* const region = static_cast<Region*>(raw::map_pages(sizeof(Region)));
  directory_[(address >> kRegionBits) & kDirectoryMask] = region;
  regions_.push_back(region);
  return *region;
}

void Shadow::fill(Cell& cell, std::uintptr_t address) {
  Region& region = *region_of(address);
  const std::size_t chunk = (address % kRegion) / kChunk;
  region.touched[chunk] = 1;
  if (region.states[chunk] != CellState::simple)
    cell = Whole{region.whens[chunk], region.sites[chunk], region.states[chunk]}.cell();
}

/// Afterwards blank cells stand for nothing, and the others for what they stood for.
void Shadow::fill_chunk(std::uintptr_t address) {
  Region& region = *region_of(address);
  const std::size_t chunk = (address % kRegion) / kChunk;
  if (region.states[chunk] == CellState::simple) return;
  const std::uintptr_t first = address & ~(kChunk - 1);
  for (std::uintptr_t at = first; at < first + kChunk; at += kGranule) (void)this->at(at);
  region.states[chunk] = CellState::simple;
}

Cell Shadow::look(std::uintptr_t address) const {
  const Region* const region = region_of(address);
  if (region == nullptr) return {};
  const Cell& cell = region->cells[(address % kRegion) / kGranule];
  const std::size_t chunk = (address % kRegion) / kChunk;
  if (!cell.is_blank() || region->states[chunk] == CellState::simple) return cell;
  return Whole{region->whens[chunk], region->sites[chunk], region->states[chunk]}.cell();
}

void Shadow::clear(std::uintptr_t begin, std::size_t bytes) {
  const std::uintptr_t end = begin + bytes;
  for (std::uintptr_t at = begin; at < end;) {
    const std::uintptr_t next = std::min(end, (at / kRegion + 1) * kRegion);
    if (region_of(at) != nullptr)
      walk(
          at, next,
          [&](std::uintptr_t granule) {
            fill_chunk(granule);
            this->at(granule) = {};
          },
          [](const Chunks& chunks) { chunks.become({}); });
    at = next;
  }
}

void Shadow::clear_all() {
  for (Region* const region : regions_) zero(reinterpret_cast<char*>(region), reinterpret_cast<char*>(region + 1));
}

// No loop here ends early, so that the compiler makes one of many at once.

bool Shadow::Chunks::are_touched() const {
  std::uint8_t any = 0;
  for (std::size_t i = first_; i < first_ + count_; ++i) any |= region_.touched[i];
  return any != 0;
}

bool Shadow::Chunks::are_one() const {
  std::uint32_t differ = 0;
  for (std::size_t i = first_; i < first_ + count_; ++i)
    differ |= (region_.whens[i] ^ region_.whens[first_]) | (region_.sites[i] ^ region_.sites[first_]);
  std::uint8_t other = 0;
  for (std::size_t i = first_; i < first_ + count_; ++i)
    other |= static_cast<std::uint8_t>(static_cast<std::uint8_t>(region_.states[i]) ^
                                       static_cast<std::uint8_t>(region_.states[first_]));
  return differ == 0 && other == 0 && !are_touched();
}

void Shadow::Chunks::become(const Whole& whole) const {
  if (are_touched()) {
    Cell* const cells = region_.cells + first_ * kCellsInChunk;
    if (count_ * kChunk > kFewBytes) {
      zero(reinterpret_cast<char*>(cells), reinterpret_cast<char*>(cells + count_ * kCellsInChunk));
    } else {
      for (std::size_t i = 0; i < count_; ++i)
        if (region_.touched[first_ + i] != 0)
          std::memset(static_cast<void*>(cells + i * kCellsInChunk), 0, kCellsInChunk * sizeof(Cell));
    }
    std::memset(region_.touched + first_, 0, count_);
  }
  if (whole.state != CellState::simple) {
    std::fill_n(region_.whens + first_, count_, whole.when);
    std::fill_n(region_.sites + first_, count_, whole.site);
  }
  std::memset(region_.states + first_, static_cast<int>(whole.state), count_);
}

}  // namespace heddle::races
