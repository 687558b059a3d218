#include "engine/saved_memory.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/raw.hpp"

namespace heddle::engine {
namespace {

constexpr std::size_t kLarge = 128u << 10;  // copying it back takes as long as asking the kernel and using the answer
constexpr std::size_t kSparePages = 64;     // pages that may be copied back in vain: 256 KB

char* page_below(const char* address) {
  return reinterpret_cast<char*>(reinterpret_cast<std::uintptr_t>(address) & ~(kPageBytes - 1));
}
char* page_above(const char* address) { return page_below(address + kPageBytes - 1); }

/// Writes nothing where there are only zeros, so that pages without memory stay without.
void save(char* to, const char* from, std::size_t bytes) {
  static constexpr char kZero[kPageBytes] = {};
  for (std::size_t at = 0; at < bytes; at += kPageBytes) {
    const std::size_t length = std::min(kPageBytes, bytes - at);
    if (std::memcmp(from + at, kZero, length) != 0) std::memcpy(to + at, from + at, length);
  }
}

}  // namespace

SavedMemory::~SavedMemory() {
  if (saved_ != nullptr) raw::unmap_pages(saved_, bytes_);
}

void SavedMemory::add(char* begin, char* end) {
  if (begin >= end) return;
  const auto bytes = static_cast<std::size_t>(end - begin);
  (bytes >= kLarge ? large_ : small_).push_back({begin, end, nullptr});
  bytes_ += bytes;
}

void SavedMemory::take(PageTracking means) {
  if (bytes_ == 0) return;
  saved_ = static_cast<char*>(raw::map_pages(bytes_));
  char* to = saved_;
  for (PageVector<Part>* parts : {&small_, &large_}) {
    for (Part& part : *parts) {
      const auto bytes = static_cast<std::size_t>(part.end - part.begin);
      save(to, part.begin, bytes);
      part.saved = to;
      to += bytes;
    }
  }
  PageVector<PageRange> ranges;
  for (const Part& part : large_) ranges.push_back({page_below(part.begin), page_above(part.end)});
  is_watched_ = !large_.empty() && touched_.watch(means, ranges.span());
}

void SavedMemory::copy(const Part& part, char* begin, char* end) {
  begin = std::max(begin, part.begin);
  end = std::min(end, part.end);
  if (begin < end) std::memcpy(begin, part.saved + (begin - part.begin), static_cast<std::size_t>(end - begin));
}

void SavedMemory::put_back() {
  for (const Part& part : small_) copy(part, part.begin, part.end);
  if (large_.empty()) return;
  is_watched_ = is_watched_ && touched_.find(found_);
  if (is_watched_)
    put_back_touched();
  else
    for (const Part& part : large_) copy(part, part.begin, part.end);
}

void SavedMemory::put_back_touched() {
  std::size_t pages = 0;
  for (const PageRange& range : found_) {
    pages += range.pages();
    for (const Part& part : large_)
      if (range.begin < part.end && part.begin < range.end) copy(part, range.begin, range.end);
  }
  if (is_first_look_) first_pages_ = pages;
  is_first_look_ = pages > 2 * first_pages_ + kSparePages;
  if (is_first_look_) is_watched_ = touched_.forget();
}

}  // namespace heddle::engine
