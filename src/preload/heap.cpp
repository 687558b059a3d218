#include "preload/heap.hpp"

#include <linux/mman.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/check.hpp"
#include "base/own_pages.hpp"
#include "base/raw.hpp"
#include "engine/donor.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

// Size classes with a free list each, last freed first; memory is never given back to the kernel, and blocks are not
// joined. Only what is below `next` was ever touched. Every word of the allocator's state is in the arena itself.
namespace heddle::preload {
namespace {

constexpr std::size_t kReserved = std::size_t{64} << 30;
constexpr std::uintptr_t kAddress = 0x5000'0000'0000;  // nobody else's: AddressSanitizer has its heap higher up
constexpr std::uintptr_t kDonors = kAddress + kReserved;
constexpr std::size_t kHugePage = 2u << 20;
constexpr std::size_t kAlignment = 16;
constexpr std::size_t kSmallMax = 1024;  // up to here a class each 16 bytes
constexpr unsigned kSteps = 8;           // above, so many classes to a doubling
constexpr unsigned kSmallClasses = kSmallMax / kAlignment + 1;
constexpr unsigned kClasses = kSmallClasses + 40 * kSteps;
constexpr std::uint32_t kInUse = 0x75736564;
constexpr std::uint32_t kFreed = 0x66726565;

/// Just before what the program gets.
struct Header {
  std::uint32_t state;
  std::uint32_t size_class;
  std::uint64_t offset;  // from the beginning of the block to what the program got
};
static_assert(sizeof(Header) == kAlignment);

struct Arena {
  std::atomic<bool> busy;  // threads that run before `main` are free, and may be several
  char* next;
  char* end;
  std::array<void*, kClasses> free;
};

Arena* made_for_program = nullptr;
Arena* made_for_donors = nullptr;

[[gnu::noinline]] Arena* make_arena(std::uintptr_t at) {
  const long address =
      raw::syscall6(SYS_mmap, static_cast<long>(at), static_cast<long>(kReserved), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  HEDDLE_CHECK(address == static_cast<long>(at), "the address of the heap is taken");
  auto* arena = reinterpret_cast<Arena*>(address);  // all zero, which is how it begins
  arena->next = reinterpret_cast<char*>(address) + ((sizeof(Arena) + 4095) & ~std::size_t{4095});
  arena->end = reinterpret_cast<char*>(address) + kReserved;
  return arena;
}

Arena& arena_of_program() {
  if (made_for_program == nullptr) [[unlikely]]
    made_for_program = make_arena(kAddress);
  return *made_for_program;
}

/// What libc takes for a donor stays as long as the donor, and moves no block of the program: an execution that needs a
/// new donor sees the addresses of one that does not.
Arena& arena_of_donors() {
  if (made_for_donors == nullptr) {
    made_for_donors = make_arena(kDonors);
    own_pages.add(made_for_donors, kReserved);
  }
  return *made_for_donors;
}

Arena& arena_for_new() { return engine::Donor::is_starting ? arena_of_donors() : arena_of_program(); }

Arena& arena_with(const void* memory) {
  return reinterpret_cast<std::uintptr_t>(memory) < kDonors ? arena_of_program() : arena_of_donors();
}

class Busy {
 public:
  explicit Busy(Arena& arena) : arena_(arena) {
    while (arena_.busy.exchange(true, std::memory_order_acquire)) raw::syscall6(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  }
  ~Busy() { arena_.busy.store(false, std::memory_order_release); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  Arena& arena_;
};

unsigned class_of(std::size_t bytes) {
  if (bytes <= kSmallMax) return static_cast<unsigned>((bytes + kAlignment - 1) / kAlignment);
  const auto doubling = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1;  // 2^doubling < bytes <= 2^(doubling+1)
  const std::size_t step = (std::size_t{1} << doubling) / kSteps;
  const auto within = static_cast<unsigned>((bytes - 1 - (std::size_t{1} << doubling)) / step);
  return kSmallClasses + (doubling - 10) * kSteps + within;
}

std::size_t bytes_of(unsigned size_class) {
  if (size_class < kSmallClasses) return size_class * kAlignment;
  const unsigned above = size_class - kSmallClasses;
  const std::size_t power = std::size_t{1} << (above / kSteps + 10);
  return power + (above % kSteps + 1) * (power / kSteps);
}

Header& header_of(void* memory) { return *reinterpret_cast<Header*>(static_cast<char*>(memory) - sizeof(Header)); }

/// A large block costs a fork as many entries of the page table as it has pages.
void prefer_huge_pages(char* begin, std::size_t bytes) {
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + kHugePage - 1) & ~(kHugePage - 1);
  const auto last = (reinterpret_cast<std::uintptr_t>(begin) + bytes) & ~(kHugePage - 1);
  raw::syscall6(SYS_madvise, static_cast<long>(first), static_cast<long>(last - first), MADV_HUGEPAGE, 0, 0, 0);
}

/// `is_fresh`: nobody had it before, so it is still zero.
void* take(std::size_t bytes, bool* is_fresh = nullptr) {
  if (bytes == 0) bytes = 1;
  if (bytes > kReserved / 4) return nullptr;
  const unsigned size_class = class_of(bytes);
  Arena& heap = arena_for_new();
  const Busy mine(heap);
  void* memory = heap.free[size_class];
  if (memory != nullptr) {
    heap.free[size_class] = *static_cast<void**>(memory);
  } else {
    const std::size_t whole = sizeof(Header) + bytes_of(size_class);
    if (static_cast<std::size_t>(heap.end - heap.next) < whole) return nullptr;
    if (whole >= 2 * kHugePage) prefer_huge_pages(heap.next, whole);
    memory = heap.next + sizeof(Header);
    heap.next += whole;
    if (is_fresh != nullptr) *is_fresh = true;
  }
  header_of(memory) = {kInUse, size_class, 0};
  return memory;
}

[[noreturn]] void complain(const char* what) {
  raw::write_all(2, what, std::strlen(what));
  abort();
}

void give_back(void* memory) {
  Header& header = header_of(memory);
  if (header.state == kFreed) complain("free(): double free detected\n");
  if (header.state != kInUse) complain("free(): invalid pointer\n");
  void* const block = static_cast<char*>(memory) - header.offset;
  Arena& heap = arena_with(memory);
  const Busy mine(heap);
  const unsigned size_class = header.size_class;
  header.state = kFreed;
  header_of(block) = {kFreed, size_class, 0};
  *static_cast<void**>(block) = heap.free[size_class];
  heap.free[size_class] = block;
}

std::size_t usable(void* memory) {
  const Header& header = header_of(memory);
  return bytes_of(header.size_class) - header.offset;
}

void* or_no_memory(void* memory) {
  if (memory == nullptr) errno = ENOMEM;
  return memory;
}

void* take_aligned(std::size_t alignment, std::size_t bytes) {
  if (alignment <= kAlignment) return take(bytes);
  if (bytes > kReserved / 4) return nullptr;
  auto* block = static_cast<char*>(take(bytes + alignment + sizeof(Header)));
  if (block == nullptr) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  const std::size_t offset = ((address + alignment - 1) & ~(alignment - 1)) - address;
  if (offset == 0) return block;
  const unsigned size_class = header_of(block).size_class;
  header_of(block + offset) = {kInUse, size_class, offset};
  return block + offset;
}

bool is_in_heap(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory) - kAddress < 2 * kReserved; }

}  // namespace

HeapExtent heap_extent() {
  Arena& heap = arena_of_program();
  auto* const begin = reinterpret_cast<char*>(&heap);
  return {begin, static_cast<std::size_t>(heap.next - begin)};
}

}  // namespace heddle::preload

using namespace heddle::preload;

namespace {

/// What is there is a new object for the watch over memory.
inline void* told(void* memory, const void* place) {
  if (memory != nullptr) heddle::runtime::tell_allocated(memory, usable(memory), place);
  return or_no_memory(memory);
}

void free_at(void* memory, const void* place) {
  if (memory == nullptr || !is_in_heap(memory)) return;  // of the loader's own, before anything else was there
  const std::uint32_t state = header_of(memory).state;   // of a block that is free already, the watch over memory knows
  if (state == kInUse || state == kFreed) heddle::runtime::tell_freed(memory, usable(memory), place);
  give_back(memory);
}

}  // namespace

HEDDLE_EXPORT void* malloc(std::size_t bytes) noexcept { return told(take(bytes), HEDDLE_PLACE); }

bool heddle::preload::is_heap_of_program() {
  void* const program = dlopen(nullptr, RTLD_LAZY);  // as it sees things: this library looks in itself first
  Dl_info found{};
  Dl_info own{};
  return dladdr(dlsym(program, "malloc"), &found) != 0 && dladdr(&made_for_program, &own) != 0 &&
         found.dli_fbase == own.dli_fbase;
}

HEDDLE_EXPORT void free(void* memory) noexcept { free_at(memory, HEDDLE_PLACE); }

HEDDLE_EXPORT void* calloc(std::size_t count, std::size_t bytes) noexcept {
  std::size_t whole = 0;
  if (__builtin_mul_overflow(count, bytes, &whole)) return or_no_memory(nullptr);
  bool is_fresh = false;
  void* const memory = take(whole, &is_fresh);
  if (memory != nullptr && !is_fresh) std::memset(memory, 0, whole);
  return told(memory, HEDDLE_PLACE);
}

HEDDLE_EXPORT void* realloc(void* memory, std::size_t bytes) noexcept {
  if (memory == nullptr) return told(take(bytes), HEDDLE_PLACE);
  if (bytes == 0) {
    free_at(memory, HEDDLE_PLACE);
    return nullptr;
  }
  const std::size_t before = usable(memory);
  if (bytes <= before) return memory;
  void* const moved = take(bytes);
  if (moved == nullptr) return or_no_memory(nullptr);
  std::memcpy(moved, memory, before);
  free_at(memory, HEDDLE_PLACE);
  return told(moved, HEDDLE_PLACE);
}

HEDDLE_EXPORT void* reallocarray(void* memory, std::size_t count, std::size_t bytes) noexcept {
  std::size_t whole = 0;
  if (__builtin_mul_overflow(count, bytes, &whole)) return or_no_memory(nullptr);
  return realloc(memory, whole);
}

HEDDLE_EXPORT int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) noexcept {
  if (alignment % sizeof(void*) != 0 || !std::has_single_bit(alignment)) return EINVAL;
  void* const memory = take_aligned(alignment, bytes);
  if (memory == nullptr) return ENOMEM;
  *result = told(memory, HEDDLE_PLACE);
  return 0;
}

HEDDLE_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return told(take_aligned(alignment, bytes), HEDDLE_PLACE);
}
HEDDLE_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  return told(take_aligned(alignment, bytes), HEDDLE_PLACE);
}
HEDDLE_EXPORT void* valloc(std::size_t bytes) noexcept { return told(take_aligned(4096, bytes), HEDDLE_PLACE); }
HEDDLE_EXPORT void* pvalloc(std::size_t bytes) noexcept {
  return told(take_aligned(4096, (bytes + 4095) & ~std::size_t{4095}), HEDDLE_PLACE);
}
HEDDLE_EXPORT std::size_t malloc_usable_size(void* memory) noexcept { return memory == nullptr ? 0 : usable(memory); }
