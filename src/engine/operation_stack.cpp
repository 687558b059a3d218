#include "engine/operation_stack.hpp"

#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/own_pages.hpp"
#include "base/raw.hpp"

namespace heddle::engine {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::uintptr_t kAddress = 0x5200'0000'0000;  // otherwise unused, as the heap's: preload/heap.cpp
constexpr std::size_t kApart = std::size_t{1} << 30;
constexpr std::uint32_t kPlaces = 2048;  // more threads at a time are rare; their stacks lie anywhere

long map(std::uintptr_t at, std::size_t bytes, int flags) {
  return raw::syscall6(SYS_mmap, static_cast<long>(at), static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
}

bool is_error(long result) { return result < 0 && result >= -4095; }

}  // namespace

std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) & ~(kPage - 1); }

OperationStack OtherStack::of(std::size_t bytes, std::uint32_t number) {
  if (bytes_ == bytes) return stack_;
  if (bytes_ != 0) {
    char* const pages = const_cast<char*>(stack_.bounds.low) - kGuardBytes;
    const auto mapped = static_cast<std::size_t>(stack_.bounds.high - pages);
    raw::syscall6(SYS_munmap, reinterpret_cast<long>(pages), static_cast<long>(mapped), 0, 0, 0, 0);
    own_pages.remove(pages, mapped);
    bytes_ = 0;
  }
  const std::size_t whole = kGuardBytes + kRoomForHeddle + bytes;
  if (whole < bytes) return {};
  const bool has_place = number < kPlaces && whole <= kApart;
  long address = has_place ? map(kAddress + number * kApart, whole, MAP_FIXED_NOREPLACE) : -1;
  if (is_error(address)) address = map(0, whole, 0);
  if (is_error(address)) return {};
  auto* const pages = reinterpret_cast<char*>(address);
  own_pages.add(pages, whole);
  raw::protect_pages(pages, kGuardBytes);
  bytes_ = bytes;
  stack_ = {{pages + kGuardBytes, pages + whole, bytes}, pages + whole};
  return stack_;
}

}  // namespace heddle::engine
