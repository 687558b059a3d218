#include "engine/stack_area.hpp"

#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>

#include "base/machine.hpp"
#include "base/own_pages.hpp"
#include "base/raw.hpp"
#include "engine/executor.hpp"

namespace heddle::engine {
namespace {

constexpr std::uint32_t kStacksMax = 2048;  // more threads at a time are rare; their stacks lie anywhere
constexpr std::size_t kReservedMax = std::size_t{32} << 30;
constexpr unsigned kShareOfLimit = 4;  // if addresses are limited (ulimit -v)

char* map_at(char* at, std::size_t bytes, int protection, int flags) {
  const long result = raw::syscall6(SYS_mmap, reinterpret_cast<long>(at), static_cast<long>(bytes), protection,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return result < 0 && result >= -4095 ? nullptr : reinterpret_cast<char*>(result);
}

/// Stacks are an odd number of cache lines apart, so every line of a page gets its turn. heddle's first arrays use the
/// first lines (raw::next_page_offset), so stacks begin in the middle: there a program of three threads took 3 % less
/// time.
std::size_t offset_of(std::uint32_t number) { return (number + std::size_t{32}) * 11 * 64 % 4096; }

}  // namespace

StackArea::StackArea(std::size_t bytes_of_each)
    : bytes_(bytes_of_each),
      stride_(kGuardBytes + kRoomForHeddle + bytes_of_each),
      count_(static_cast<std::uint32_t>(
          reservable(std::min<std::size_t>(kStacksMax * stride_, kReservedMax), kShareOfLimit) / stride_)),
      begin_(count_ == 0 ? nullptr : map_at(nullptr, count_ * stride_, PROT_NONE, 0)) {}

bool StackArea::has(std::uint32_t number) const { return begin_ != nullptr && number < count_; }

StackMemory StackArea::map(std::uint32_t number) const {
  char* const pages = has(number) ? map_at(at(number), stride_, PROT_READ | PROT_WRITE, MAP_FIXED)
                                  : map_at(nullptr, stride_, PROT_READ | PROT_WRITE, 0);
  if (pages == nullptr) return {};
  own_pages.add(pages, stride_);
  raw::protect_pages(pages, kGuardBytes);
  const std::size_t whole = kRoomForHeddle + bytes_;
  return {pages + kGuardBytes, whole, whole - offset_of(number)};
}

void StackArea::unmap(std::uint32_t number, const StackMemory& memory) const {
  if (!has(number)) return raw::unmap_pages(memory.low - kGuardBytes, stride_);
  map_at(at(number), stride_, PROT_NONE, MAP_FIXED);
  own_pages.remove(at(number), stride_);
}

}  // namespace heddle::engine
