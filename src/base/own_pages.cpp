#include "base/own_pages.hpp"

namespace heddle {
namespace {

constexpr std::uintptr_t kTaken = 1;  // this range is being filled in

std::uintptr_t number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

constinit OwnPages own_pages;

// When the program is not explored, its threads may map at the same time, so a compare-exchange claims a free range.
void OwnPages::add(const void* begin, std::size_t bytes) {
  for (std::size_t i = 0; i < kMost; ++i) {
    std::uintptr_t free = 0;
    if (ranges_[i].begin.load(std::memory_order_relaxed) != free) continue;
    if (!ranges_[i].begin.compare_exchange_strong(free, kTaken, std::memory_order_acq_rel)) continue;
    ranges_[i].end.store(number(begin) + bytes, std::memory_order_relaxed);
    ranges_[i].begin.store(number(begin), std::memory_order_release);
    std::size_t used = this->used();
    while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_acq_rel)) {
    }
    return;
  }
  incomplete_.store(true, std::memory_order_relaxed);
}

void OwnPages::remove(const void* begin, std::size_t bytes) {
  const std::uintptr_t first = number(begin);
  const std::uintptr_t last = first + bytes;
  for (std::size_t i = 0; i < used(); ++i) {
    Range& range = ranges_[i];
    const std::uintptr_t low = range.begin.load(std::memory_order_acquire);
    const std::uintptr_t high = range.end.load(std::memory_order_relaxed);
    if (low <= kTaken || first < low || last > high) continue;
    if (last < high) add(reinterpret_cast<const void*>(last), high - last);
    range.end.store(first, std::memory_order_relaxed);
    if (first == low) range.begin.store(0, std::memory_order_release);
    return;
  }
}

std::uintptr_t OwnPages::end_of_own(std::uintptr_t address) const {
  for (std::size_t i = 0; i < used(); ++i)
    if (ranges_[i].begin.load(std::memory_order_acquire) > kTaken && address >= ranges_[i].begin &&
        address < ranges_[i].end)
      return end_of_own(ranges_[i].end);
  return address;
}

std::uintptr_t OwnPages::next_own(std::uintptr_t address, std::uintptr_t limit) const {
  for (std::size_t i = 0; i < used(); ++i) {
    const std::uintptr_t begin = ranges_[i].begin.load(std::memory_order_acquire);
    if (begin > kTaken && begin >= address && begin < limit) limit = begin;
  }
  return limit;
}

}  // namespace heddle
