#include "engine/stack_area.hpp"

#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/check.hpp"
#include "base/own_pages.hpp"
#include "base/raw.hpp"
#include "engine/executor.hpp"

namespace heddle::engine {
namespace {

constexpr std::uint32_t kStacks = 2048;  // more threads at a time are rare, and lie anywhere

char* map_at(char* at, std::size_t bytes, int protection, int flags) {
  const long result = raw::syscall6(SYS_mmap, reinterpret_cast<long>(at), static_cast<long>(bytes), protection,
                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return result < 0 && result >= -4095 ? nullptr : reinterpret_cast<char*>(result);
}

/// An odd number of lines apart: every line of a page has its turn. The first arrays of heddle have the first ones
/// (raw::next_page_offset), so stacks begin in the middle: there a program of three threads took 3 % less time.
std::size_t offset_of(std::uint32_t number) { return (number + std::size_t{32}) * 11 * 64 % 4096; }

}  // namespace

StackArea::StackArea(std::size_t bytes_of_each)
    : bytes_(bytes_of_each),
      stride_(kGuardBytes + bytes_of_each),
      begin_(map_at(nullptr, kStacks * stride_, PROT_NONE, 0)) {}

bool StackArea::has(std::uint32_t number) const { return begin_ != nullptr && number < kStacks; }

StackMemory StackArea::map(std::uint32_t number) const {
  char* const pages = has(number) ? map_at(at(number), stride_, PROT_READ | PROT_WRITE, MAP_FIXED)
                                  : static_cast<char*>(raw::map_pages(stride_));
  HEDDLE_CHECK(pages != nullptr, "the kernel refused memory for a stack");
  if (has(number)) own_pages.add(pages, stride_);
  raw::protect_pages(pages, kGuardBytes);
  return {pages + kGuardBytes, bytes_, bytes_ - offset_of(number)};
}

void StackArea::unmap(std::uint32_t number, const StackMemory& memory) const {
  if (!has(number)) return raw::unmap_pages(memory.low - kGuardBytes, stride_);
  map_at(at(number), stride_, PROT_NONE, MAP_FIXED);
  own_pages.remove(at(number), stride_);
}

}  // namespace heddle::engine
