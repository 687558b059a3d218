#include "preload/arena.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>

#include "base/check.hpp"
#include "base/machine.hpp"
#include "base/own_pages.hpp"
#include "base/raw.hpp"

namespace heddle::preload {
namespace {

constexpr std::size_t kReserved = std::size_t{64} << 30;
constexpr unsigned kShareOfLimit = 8;  // if addresses are limited (ulimit -v)
constexpr std::size_t kHeader = 16;
constexpr unsigned kClasses = 40;  // powers of two

/// Lies at the start of the shared mapping. Only one process uses it at a time; the others wait for that process.
struct Arena {
  char* next = nullptr;
  char* end = nullptr;
  std::array<void*, kClasses> free{};  // freed blocks, by class
};

Arena* arena() {
  static Arena* const shared = [] {
    const std::size_t bytes = reservable(kReserved, kShareOfLimit);
    const long address = raw::syscall6(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address <= 0) end_refused(Scarce::memory, static_cast<int>(-address));
    own_pages.add(reinterpret_cast<const void*>(address), bytes);
    auto* made = new (reinterpret_cast<void*>(address)) Arena;
    made->next = reinterpret_cast<char*>(address) + 4096;
    made->end = reinterpret_cast<char*>(address) + bytes;
    return made;
  }();
  return shared;
}

unsigned class_of(std::size_t bytes) { return static_cast<unsigned>(std::bit_width(bytes + kHeader - 1)); }

std::uint64_t& class_word(void* memory) {
  return *reinterpret_cast<std::uint64_t*>(static_cast<char*>(memory) - kHeader);
}

// Page-aligned blocks also come in powers of two.
constexpr std::size_t kPage = 4096;

void* map_common(std::size_t bytes) {
  // The header takes the page before the block, so that the block itself starts on a page boundary.
  auto* memory = static_cast<char*>(take(bytes + 2 * kPage));
  auto* first =
      reinterpret_cast<char*>((reinterpret_cast<std::uintptr_t>(memory) + kHeader + kPage - 1) & ~(kPage - 1));
  *reinterpret_cast<void**>(first - sizeof(void*)) = memory;
  std::memset(first, 0, bytes);
  return first;
}

void unmap_common(void* pages, std::size_t) {
  give_back(*reinterpret_cast<void**>(static_cast<char*>(pages) - sizeof(void*)));
}

void* remap_common(void* pages, std::size_t old_bytes, std::size_t new_bytes) {
  void* const moved = map_common(new_bytes);
  std::memcpy(moved, pages, old_bytes);
  unmap_common(pages, old_bytes);
  return moved;
}

}  // namespace

void* take(std::size_t bytes) {
  Arena& shared = *arena();
  const unsigned size_class = class_of(bytes);
  HEDDLE_CHECK(size_class < kClasses, "more memory asked for than there is");
  if (void* block = shared.free[size_class]) {
    shared.free[size_class] = *static_cast<void**>(block);
    return block;
  }
  const std::size_t whole = std::size_t{1} << size_class;
  if (static_cast<std::size_t>(shared.end - shared.next) <= whole) end_refused(Scarce::memory, ENOMEM);
  char* const memory = shared.next + kHeader;
  shared.next += whole;
  class_word(memory) = size_class;
  return memory;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  Arena& shared = *arena();
  const std::uint64_t size_class = class_word(memory);
  *static_cast<void**>(memory) = shared.free[size_class];
  shared.free[size_class] = memory;
}

void share_pages() { raw::common_pages = {map_common, remap_common, unmap_common}; }

}  // namespace heddle::preload

// Hidden, like everything here: the program keeps its own `new`.
void* operator new(std::size_t bytes) { return heddle::preload::take(bytes); }
void* operator new[](std::size_t bytes) { return heddle::preload::take(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return heddle::preload::take(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return heddle::preload::take(bytes); }
void operator delete(void* memory) noexcept { heddle::preload::give_back(memory); }
void operator delete[](void* memory) noexcept { heddle::preload::give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { heddle::preload::give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { heddle::preload::give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { heddle::preload::give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { heddle::preload::give_back(memory); }
