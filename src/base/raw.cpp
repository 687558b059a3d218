#include "base/raw.hpp"

#include <linux/futex.h>
#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include <atomic>

#include "base/machine.hpp"
#include "base/own_pages.hpp"

namespace heddle::raw {

constinit CommonPages common_pages;

namespace {

long pointer(const void* p) { return reinterpret_cast<long>(p); }

void* checked_pages(long result) {
  if (result < 0 && result >= -4095) end_refused(Scarce::memory, static_cast<int>(-result));
  return reinterpret_cast<void*>(result);
}

void* map(std::size_t bytes) {
  void* const pages = checked_pages(syscall6(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  own_pages.add(pages, bytes);
  return pages;
}

/// Places small mappings side by side in one large mapping.
class SmallMappings {
 public:
  static constexpr std::size_t kMost = 32u << 10;  // the largest size of a small mapping

  /// Null: no room left.
  void* take(std::size_t bytes) {
    char* begin = begin_.load(std::memory_order_acquire);
    if (begin == nullptr) begin = make();
    bytes = (bytes + kPage - 1) & ~(kPage - 1);
    const std::size_t at = used_.fetch_add(bytes, std::memory_order_relaxed);
    return at + bytes <= kBytes ? begin + at : nullptr;
  }

  void touch_next(std::size_t bytes) const {
    const std::size_t used = used_.load(std::memory_order_relaxed);
    if (used + bytes > kBytes) return;
    const char* const next = begin_.load(std::memory_order_relaxed) + used;
    syscall6(SYS_madvise, pointer(next), static_cast<long>(bytes), MADV_POPULATE_WRITE, 0, 0, 0);
  }

 private:
  static constexpr std::size_t kPage = 4096;
  static constexpr std::size_t kBytes = 512u << 10;

  char* make() {
    char* mine = static_cast<char*>(map(kBytes));
    char* others = nullptr;
    if (begin_.compare_exchange_strong(others, mine, std::memory_order_acq_rel)) return mine;
    unmap_pages(mine, kBytes);
    return others;
  }

  std::atomic<char*> begin_{nullptr};
  std::atomic<std::size_t> used_{0};
};

constinit SmallMappings small_mappings;

}  // namespace

int write_all(int descriptor, const char* text, std::size_t length) {
  while (length > 0) {
    const long written = syscall6(SYS_write, descriptor, pointer(text), static_cast<long>(length), 0, 0, 0);
    if (written <= 0) return static_cast<int>(-written);
    text += written;
    length -= static_cast<std::size_t>(written);
  }
  return 0;
}

void exit_process(int code) {
  for (;;) syscall6(SYS_exit_group, code, 0, 0, 0, 0, 0);
}

void* map_pages(std::size_t bytes) {
  void* const small = bytes <= SmallMappings::kMost ? small_mappings.take(bytes) : nullptr;
  return small != nullptr ? small : map(bytes);
}

void touch_next_small_mappings(std::size_t bytes) { small_mappings.touch_next(bytes); }

void* remap_pages(void* pages, std::size_t old_bytes, std::size_t new_bytes) {
  void* const moved = checked_pages(syscall6(SYS_mremap, pointer(pages), static_cast<long>(old_bytes),
                                             static_cast<long>(new_bytes), MREMAP_MAYMOVE, 0, 0));
  own_pages.remove(pages, old_bytes);
  own_pages.add(moved, new_bytes);
  return moved;
}

std::size_t next_page_offset() {
  constexpr std::size_t kPage = 4096;
  constexpr std::size_t kStride = 11 * 64;  // an odd number of cache lines, so every line of a page gets its turn
  static std::atomic<std::size_t> offset{0};
  return offset.fetch_add(kStride, std::memory_order_relaxed) % kPage;
}

void unmap_pages(void* pages, std::size_t bytes) {
  own_pages.remove(pages, bytes);
  syscall6(SYS_munmap, pointer(pages), static_cast<long>(bytes), 0, 0, 0, 0);
}

void protect_pages(void* pages, std::size_t bytes) {
  syscall6(SYS_mprotect, pointer(pages), static_cast<long>(bytes), PROT_NONE, 0, 0, 0);
}

void futex_wait(const std::uint32_t* word, std::uint32_t while_value) {
  syscall6(SYS_futex, pointer(word), FUTEX_WAIT_PRIVATE, static_cast<long>(while_value), 0, 0, 0);
}

void futex_wake_one(const std::uint32_t* word) { syscall6(SYS_futex, pointer(word), FUTEX_WAKE_PRIVATE, 1, 0, 0, 0); }

int thread_id() { return static_cast<int>(syscall6(SYS_gettid, 0, 0, 0, 0, 0, 0)); }

std::uint64_t monotonic_ns() {
  timespec now{};
  syscall6(SYS_clock_gettime, CLOCK_MONOTONIC, pointer(&now), 0, 0, 0, 0);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace heddle::raw
