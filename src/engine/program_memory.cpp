#include "engine/program_memory.hpp"

#include <fcntl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"
#include "base/own_pages.hpp"
#include "base/raw.hpp"
#include "engine/own_module.hpp"
#include "engine/program_frame.hpp"
#include "engine/touched_pages.hpp"

namespace heddle::engine {

UsedHeap (*used_heap)() = nullptr;

namespace {

constexpr std::uintptr_t kShadow = std::uintptr_t{1} << 40;  // only the shadow of a sanitizer is this large
constexpr std::uintptr_t kMost = std::uintptr_t{64} << 30;   // finding the touched pages in it takes a tenth of a
                                                             // second
constexpr std::size_t kChunk = 64u << 10;

/// Open while this object lives. Nothing else runs meanwhile, so the program does not see the descriptor.
class File {
 public:
  explicit File(const char* path)
      : descriptor_(raw::syscall6(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC, 0, 0, 0)) {}
  ~File() {
    if (is_open()) raw::syscall6(SYS_close, descriptor_, 0, 0, 0, 0, 0);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  /// The number of bytes read; 0: no more.
  std::size_t read(void* to, std::size_t bytes) const {
    const long got =
        raw::syscall6(SYS_read, descriptor_, reinterpret_cast<long>(to), static_cast<long>(bytes), 0, 0, 0);
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }
  bool read_at(void* to, std::size_t bytes, std::uint64_t at) const {
    return raw::syscall6(SYS_pread64, descriptor_, reinterpret_cast<long>(to), static_cast<long>(bytes),
                         static_cast<long>(at), 0, 0) == static_cast<long>(bytes);
  }

 private:
  long descriptor_;
};

/// Tells which pages of the process have memory. Reads the entries of the following pages along with the first one.
class PageMap {
 public:
  explicit PageMap(PageVector<std::uint64_t>& entries) : entries_(entries) { entries_.clear(); }

  /// True if the page at `address` has no memory; false also if that is not known. Addresses must ascend, up to `end`.
  bool is_empty(std::uintptr_t address, std::uintptr_t end) {
    constexpr std::uint64_t kHasMemory = std::uint64_t{3} << 62;  // present, or swapped out
    const std::uintptr_t page = address / kPageBytes;
    if (page >= first_ + entries_.size()) read(page, (end - 1) / kPageBytes + 1 - page);
    return page < first_ + entries_.size() && (entries_[page - first_] & kHasMemory) == 0;
  }

 private:
  void read(std::uintptr_t page, std::size_t count) {
    first_ = page;
    entries_.resize(std::min(count, kEntries));
    if (!file_.is_open() || !file_.read_at(entries_.data(), entries_.size() * sizeof page, page * sizeof page))
      entries_.clear();
  }

  static constexpr std::size_t kEntries = 8192;
  const File file_{"/proc/self/pagemap"};
  PageVector<std::uint64_t>& entries_;  // of the pages from first_ on
  std::uintptr_t first_ = 0;
};

/// Hashes whole words together with their number; 0 if all are 0. Four at a time, so that the processor overlaps them.
/// Also reads what AddressSanitizer has poisoned, since that is memory like any other.
[[gnu::no_sanitize_address]] std::uint64_t hash_words(const std::uint64_t* word, std::size_t count) {
  constexpr std::uint64_t kFactor = 0xff51'afd7'ed55'8ccdull;  // odd, with bits spread over the word
  std::uint64_t lanes[4] = {1, 2, 3, 4};
  std::uint64_t any = 0;
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      any |= word[i + lane];
      lanes[lane] = (lanes[lane] ^ word[i + lane]) * kFactor;
      lanes[lane] ^= lanes[lane] >> 32;
    }
  }
  for (; i < count; ++i) {
    any |= word[i];
    lanes[0] = (lanes[0] ^ word[i]) * kFactor;
    lanes[0] ^= lanes[0] >> 32;
  }
  if (any == 0) return 0;
  return combine(combine(mix(lanes[0]), lanes[1]), combine(lanes[2], lanes[3]));
}

std::uintptr_t page_above(std::uintptr_t address) { return (address + kPageBytes - 1) & ~(kPageBytes - 1); }

std::uintptr_t hexadecimal(const char*& at) {
  std::uintptr_t value = 0;
  for (;; ++at) {
    const char c = *at;
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return value;
    value = value * 16 + static_cast<std::uintptr_t>(digit);
  }
}

}  // namespace

std::uint64_t hash_of_memory(std::uintptr_t begin, std::uintptr_t end) {
  begin &= ~(sizeof(std::uint64_t) - 1);
  return hash_words(reinterpret_cast<const std::uint64_t*>(begin), (end - begin) / sizeof(std::uint64_t));
}

void ProgramMemory::note_home() { home_ = innermost_program_frame().stack; }

/// `7f12000-7f13000 rw-p 00000000 00:00 0   name`: a mapping of a file has an inode.
bool ProgramMemory::parse(const char* line, const char* end) {
  Mapping mapping{};
  mapping.begin = hexadecimal(line);
  mapping.end = hexadecimal(++line);
  const char* const rights = ++line;
  if (end - rights < 5) return false;
  if (rights[1] != 'w') return true;
  mapping.is_shared = rights[3] == 's';
  const char* field = rights;
  for (int blanks = 0; blanks < 3 && field < end; ++field) blanks += *field == ' ';
  mapping.is_of_file = field < end && *field != '0';
  mappings_.push_back(mapping);
  return true;
}

bool ProgramMemory::read_mappings() {
  const File file("/proc/self/maps");
  if (!file.is_open()) return false;
  text_.clear();
  mappings_.clear();
  for (;;) {
    text_.reserve(text_.size() + kChunk);
    const std::size_t got = file.read(text_.data() + text_.size(), kChunk);
    if (got == 0) break;
    text_.set_size(text_.size() + got);
  }
  for (const char* line = text_.begin(); line < text_.end();) {
    const auto* const end =
        static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(text_.end() - line)));
    if (end == nullptr || !parse(line, end)) return false;
    line = end + 1;
  }
  return !mappings_.empty();
}

std::uint64_t ProgramMemory::hash_bytes(std::uintptr_t begin, std::uintptr_t end) {
  bytes_read_ += end - begin;
  return hash_of_memory(begin, end);
}

std::uint64_t ProgramMemory::hash_touched(std::uintptr_t begin, std::uintptr_t end) {
  std::uint64_t sum = 0;
  add_part(begin, end, false, sum);
  return sum;
}

/// Adds up the hashes of the pages, each combined with its address: pages of zeros add nothing, touched or not. A page
/// of a file has content even if it was never touched.
void ProgramMemory::add_part(std::uintptr_t begin, std::uintptr_t end, bool is_of_file, std::uint64_t& sum) {
  PageMap map(entries_);
  for (std::uintptr_t at = begin; at < end;) {
    const std::uintptr_t next = std::min(end, page_above(at + 1));
    if (is_of_file || !map.is_empty(at, end))
      if (const std::uint64_t part = hash_bytes(at, next); part != 0) sum += combine(part, at);
    at = next;
  }
}

/// False: the mapping cannot be judged.
bool ProgramMemory::add(const Mapping& mapping, std::uint64_t& sum) {
  std::uintptr_t begin = mapping.begin;
  std::uintptr_t end = mapping.end;
  if (end - begin >= kShadow) return true;
  if (home_ >= begin && home_ < end) begin = home_;
  if (used_heap != nullptr) {
    const UsedHeap heap = used_heap();
    if (reinterpret_cast<std::uintptr_t>(heap.begin) == begin) end = std::min(end, page_above(begin + heap.bytes));
  }
  const OwnModule& own = own_module();
  while (begin < end) {
    begin = own_pages.end_of_own(begin);
    if (own.contains(begin)) begin = page_above(own.high);
    if (begin >= end) break;
    std::uintptr_t stop = own_pages.next_own(begin, end);
    if (own.low > begin && own.low < stop) stop = own.low;
    if (mapping.is_shared || stop - begin > kMost) return false;
    add_part(begin, stop, mapping.is_of_file, sum);
    begin = stop;
  }
  return true;
}

std::optional<std::uint64_t> ProgramMemory::hash() {
  if (home_ == 0 || own_pages.is_incomplete() || !read_mappings()) return std::nullopt;
  std::uint64_t sum = 0;
  for (const Mapping& mapping : mappings_)
    if (!add(mapping, sum)) return std::nullopt;
  return sum;
}

}  // namespace heddle::engine
