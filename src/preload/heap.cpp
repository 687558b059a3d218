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
#include "base/machine.hpp"
#include "base/own_pages.hpp"
#include "base/raw.hpp"
#include "engine/donor.hpp"
#include "preload/allocator.hpp"
#include "runtime/real.hpp"
#include "runtime/tsan/watch.hpp"

// Size classes, each with a free list that reuses the block freed last. Memory is never returned to the kernel, and
// blocks are not merged. Only memory below `next` was ever touched. All allocator state is in the arena itself.
namespace heddle::preload {
namespace {

constexpr std::size_t kReserved = std::size_t{64} << 30;
constexpr std::uintptr_t kAddress = 0x5000'0000'0000;  // otherwise unused: AddressSanitizer's heap is higher up
constexpr std::uintptr_t kDonors = kAddress + kReserved;
constexpr unsigned kShareOfProgram = 4;  // of the addresses, if they are limited (ulimit -v)
constexpr unsigned kShareOfDonors = 16;
constexpr std::size_t kHugePage = 2u << 20;
constexpr std::size_t kAlignment = 16;
constexpr std::size_t kSmallMax = 1024;  // up to here, one class per 16 bytes
constexpr unsigned kSteps = 8;           // above that, this many classes per doubling
constexpr unsigned kSmallClasses = kSmallMax / kAlignment + 1;
constexpr unsigned kClasses = kSmallClasses + 40 * kSteps;
constexpr std::uint32_t kInUse = 0x75736564;
constexpr std::uint32_t kFreed = 0x66726565;

/// Directly before the memory that the program gets.
struct Header {
  std::uint32_t state;
  std::uint32_t size_class;
  std::uint64_t offset;  // from the start of the block to the program's memory
};
static_assert(sizeof(Header) == kAlignment);

struct Arena {
  std::atomic<bool> busy;  // threads started before `main` run freely, and there may be several
  char* next;
  char* end;
  std::array<void*, kClasses> free;
};

Arena* made_for_program = nullptr;
Arena* made_for_donors = nullptr;

[[gnu::noinline]] Arena* make_arena(std::uintptr_t at, std::size_t bytes) {
  const long address = raw::syscall6(SYS_mmap, static_cast<long>(at), static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (address == -ENOMEM) end_refused(Scarce::memory, ENOMEM);
  HEDDLE_CHECK(address == static_cast<long>(at), "the address of the heap is taken");
  auto* arena = reinterpret_cast<Arena*>(address);  // all zero, which is the initial state
  arena->next = reinterpret_cast<char*>(address) + ((sizeof(Arena) + 4095) & ~std::size_t{4095});
  arena->end = reinterpret_cast<char*>(address) + bytes;
  return arena;
}

Arena& arena_of_program() {
  if (made_for_program == nullptr) [[unlikely]]
    made_for_program = make_arena(kAddress, reservable(kReserved, kShareOfProgram));
  return *made_for_program;
}

/// What libc allocates for a donor thread lives as long as the donor and does not move the program's blocks. So an
/// execution that needs a new donor gets the same addresses as one that does not.
Arena& arena_of_donors() {
  if (made_for_donors == nullptr) {
    made_for_donors = make_arena(kDonors, reservable(kReserved, kShareOfDonors));
    own_pages.add(made_for_donors,
                  static_cast<std::size_t>(made_for_donors->end - reinterpret_cast<char*>(made_for_donors)));
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

/// A fork copies one page table entry for each page of a large block.
void prefer_huge_pages(char* begin, std::size_t bytes) {
  const auto first = (reinterpret_cast<std::uintptr_t>(begin) + kHugePage - 1) & ~(kHugePage - 1);
  const auto last = (reinterpret_cast<std::uintptr_t>(begin) + bytes) & ~(kHugePage - 1);
  raw::syscall6(SYS_madvise, static_cast<long>(first), static_cast<long>(last - first), MADV_HUGEPAGE, 0, 0, 0);
}

/// `is_fresh`: the block was never used before, so it is still zero.
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
    if (static_cast<std::size_t>(heap.end - heap.next) < whole) {
      refusals.note(Scarce::memory, ENOMEM);  // libc's heap might have had it
      return nullptr;
    }
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

/// Should this block come from the program's own allocator? What libc asks for when heddle starts a thread does not: an
/// operation may be in the middle of that allocator.
inline bool is_theirs() {
  if (heap_in_use == Heap::of_heddle) [[likely]]
    return false;
  if (heap_in_use == Heap::unknown) find_allocator();
  return heap_in_use == Heap::of_program && !heddle::engine::Donor::is_starting;
}

/// Did it give out this block?
inline bool is_theirs(const void* memory) {
  return heap_in_use == Heap::of_program && memory != nullptr && !is_in_heap(memory);
}

/// Tells the memory watch that this is a new object.
inline void* told(void* memory, const void* place) {
  if (memory != nullptr) heddle::runtime::tell_allocated(memory, usable(memory), place);
  return or_no_memory(memory);
}

/// The same for a block of the program's own allocator.
void* told_theirs(void* memory, const void* place) {
  if (memory != nullptr) heddle::runtime::tell_allocated(memory, allocator.malloc_usable_size(memory), place);
  return memory;
}

void tell_freed_theirs(void* memory, const void* place) {
  heddle::runtime::tell_freed(memory, allocator.malloc_usable_size(memory), place);
}

void free_at(void* memory, const void* place) {
  if (memory == nullptr || !is_in_heap(memory)) return;  // allocated by the loader, before anything else was loaded
  const std::uint32_t state = header_of(memory).state;   // the memory watch knows about blocks that are already free
  if (state == kInUse || state == kFreed) heddle::runtime::tell_freed(memory, usable(memory), place);
  give_back(memory);
}

}  // namespace

HEDDLE_EXPORT void* malloc(std::size_t bytes) noexcept {
  if (is_theirs()) [[unlikely]]
    return told_theirs(allocator.malloc(bytes), HEDDLE_PLACE);
  return told(take(bytes), HEDDLE_PLACE);
}

HEDDLE_EXPORT void free(void* memory) noexcept {
  if (!is_theirs(memory)) [[likely]]
    return free_at(memory, HEDDLE_PLACE);
  tell_freed_theirs(memory, HEDDLE_PLACE);
  allocator.free(memory);
}

HEDDLE_EXPORT void* calloc(std::size_t count, std::size_t bytes) noexcept {
  if (is_theirs()) [[unlikely]]
    return told_theirs(allocator.calloc(count, bytes), HEDDLE_PLACE);
  std::size_t whole = 0;
  if (__builtin_mul_overflow(count, bytes, &whole)) return or_no_memory(nullptr);
  bool is_fresh = false;
  void* const memory = take(whole, &is_fresh);
  if (memory != nullptr && !is_fresh) std::memset(memory, 0, whole);
  return told(memory, HEDDLE_PLACE);
}

HEDDLE_EXPORT void* realloc(void* memory, std::size_t bytes) noexcept {
  if (is_theirs(memory)) [[unlikely]] {
    tell_freed_theirs(memory, HEDDLE_PLACE);
    return told_theirs(allocator.realloc(memory, bytes), HEDDLE_PLACE);
  }
  if (memory == nullptr) return malloc(bytes);
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
  if (is_theirs()) [[unlikely]] {
    const int error = allocator.posix_memalign(result, alignment, bytes);
    if (error == 0) told_theirs(*result, HEDDLE_PLACE);
    return error;
  }
  if (alignment % sizeof(void*) != 0 || !std::has_single_bit(alignment)) return EINVAL;
  void* const memory = take_aligned(alignment, bytes);
  if (memory == nullptr) return ENOMEM;
  *result = told(memory, HEDDLE_PLACE);
  return 0;
}

HEDDLE_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  if (is_theirs()) [[unlikely]]
    return told_theirs(allocator.aligned_alloc(alignment, bytes), HEDDLE_PLACE);
  return told(take_aligned(alignment, bytes), HEDDLE_PLACE);
}
HEDDLE_EXPORT void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
  if (is_theirs()) [[unlikely]]
    return told_theirs(allocator.memalign(alignment, bytes), HEDDLE_PLACE);
  return told(take_aligned(alignment, bytes), HEDDLE_PLACE);
}
HEDDLE_EXPORT void* valloc(std::size_t bytes) noexcept {
  if (is_theirs()) [[unlikely]]
    return told_theirs(allocator.valloc(bytes), HEDDLE_PLACE);
  return told(take_aligned(4096, bytes), HEDDLE_PLACE);
}
HEDDLE_EXPORT void* pvalloc(std::size_t bytes) noexcept {
  if (is_theirs()) [[unlikely]]
    return told_theirs(allocator.pvalloc(bytes), HEDDLE_PLACE);
  return told(take_aligned(4096, (bytes + 4095) & ~std::size_t{4095}), HEDDLE_PLACE);
}
HEDDLE_EXPORT std::size_t malloc_usable_size(void* memory) noexcept {
  if (is_theirs(memory)) [[unlikely]]
    return allocator.malloc_usable_size(memory);
  return memory == nullptr ? 0 : usable(memory);
}
