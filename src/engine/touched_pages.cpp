#include "engine/touched_pages.hpp"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include <algorithm>
#include <array>

#include "base/own_descriptors.hpp"
#include "base/raw.hpp"

namespace heddle::engine {
namespace {

// From Linux 6.7: the headers here may be older than the kernel.
struct ScanArguments {
  std::uint64_t size, flags, start, end, walk_end, found, found_max, pages_max;
  std::uint64_t category_inverted, category_mask, category_anyof_mask, return_mask;
};
struct ScannedRegion {
  std::uint64_t start, end, categories;
};
constexpr unsigned long kScan = _IOWR('f', 16, ScanArguments);
constexpr std::uint64_t kProtect = 1;                         // PM_SCAN_WP_MATCHING: what is found
constexpr std::uint64_t kCheckWriteProtection = 2;            // PM_SCAN_CHECK_WPASYNC: fail if pages are not watched
constexpr std::uint64_t kIsWritten = 2;                       // PAGE_IS_WRITTEN
constexpr std::uint64_t kFeatures = (1u << 13) | (1u << 15);  // WP_UNPOPULATED, WP_ASYNC
constexpr std::uint64_t kUserModeOnly = 1;

constexpr std::uint64_t kSoftDirty = std::uint64_t{1} << 55;
constexpr std::uint64_t kSwapped = std::uint64_t{1} << 62;  // or marked as watched, with nothing there yet
constexpr std::uint64_t kPresent = std::uint64_t{1} << 63;

constexpr std::size_t kTableBytes = 2u << 20;  // covered by one page of page table, or by one huge page

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }
char* address(std::uint64_t number) { return reinterpret_cast<char*>(number); }
char* next_table(const char* page) { return address((number(page) / kTableBytes + 1) * kTableBytes); }

long call(long which, long a, long b = 0, long c = 0, long d = 0) { return raw::syscall6(which, a, b, c, d, 0, 0); }

long control(int descriptor, unsigned long request, void* argument) {
  return call(SYS_ioctl, descriptor, static_cast<long>(request), reinterpret_cast<long>(argument));
}

int moved(long descriptor) { return own_descriptors.move(static_cast<int>(descriptor), true); }

int open_of_self(const char* path, int flags) {
  return moved(call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), flags));
}

int open_faults() {
  long opened = call(SYS_userfaultfd, O_CLOEXEC);
  if (opened < 0) opened = call(SYS_userfaultfd, O_CLOEXEC | kUserModeOnly);  // async faults never reach user mode
  const int faults = moved(opened);
  uffdio_api wanted{};
  wanted.api = UFFD_API;
  wanted.features = kFeatures;
  if (faults >= 0 && control(faults, UFFDIO_API, &wanted) == 0) return faults;
  if (faults >= 0) call(SYS_close, faults);
  return -1;
}

ScanArguments scan_of(const PageRange& range) {
  ScanArguments arguments{};
  arguments.size = sizeof arguments;
  arguments.flags = kCheckWriteProtection;
  arguments.start = number(range.begin);
  arguments.end = number(range.end);
  arguments.category_mask = arguments.return_mask = kIsWritten;  // only these: the kernel's fast path
  return arguments;
}

/// Joined to the last range if it begins where that ends.
void append(PageVector<PageRange>& touched, char* begin, char* end) {
  if (!touched.empty() && touched.back().end == begin)
    touched.back().end = end;
  else
    touched.push_back({begin, end});
}

bool covers(std::span<const PageRange> ranges, const char* page) {
  return std::ranges::any_of(ranges,
                             [page](const PageRange& range) { return range.begin <= page && page < range.end; });
}

bool read_entries(int page_map, const char* first, std::span<std::uint64_t> entries) {
  const auto bytes = static_cast<long>(entries.size_bytes());
  const auto at = static_cast<long>(number(first) / kPageBytes * sizeof(std::uint64_t));
  return call(SYS_pread64, page_map, reinterpret_cast<long>(entries.data()), bytes, at) == bytes;
}

/// Our own pages, on which a means is tried: enough that some have a page of page table to themselves.
class Scratch {
 public:
  Scratch() : pages_(static_cast<char*>(raw::map_pages(kBytes))) {
    call(SYS_madvise, reinterpret_cast<long>(pages_), kBytes, MADV_NOHUGEPAGE);
    for (std::size_t at = 0; at < kBytes; at += 2 * kPageBytes) pages_[at] = 1;  // the others stay without memory
  }
  ~Scratch() { raw::unmap_pages(pages_, kBytes); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  PageRange range() const { return {pages_, pages_ + kBytes}; }

  /// Writes by the program, by the kernel and to a page without memory, and drops pages in two ways.
  void touch(PageVector<PageRange>& expected) {
    expected.clear();
    append(expected, page(2), page(4));
    page(2)[1] = 2;
    page(3)[1] = 2;
    append(expected, page(8), page(9));
    call(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(page(8)));
    append(expected, page(10), page(11));
    call(SYS_madvise, reinterpret_cast<long>(page(10)), kPageBytes, MADV_DONTNEED);
    char* const table = next_table(page(12));
    append(expected, table, table + kTableBytes);
    call(SYS_madvise, reinterpret_cast<long>(table), kTableBytes, MADV_DONTNEED);
  }

 private:
  static constexpr std::size_t kBytes = 2 * kTableBytes + 16 * kPageBytes;
  char* page(std::size_t index) const { return pages_ + index * kPageBytes; }

  char* pages_;
};

bool same(const PageVector<PageRange>& a, const PageVector<PageRange>& b) {
  return std::ranges::equal(
      a.span(), b.span(), [](const PageRange& x, const PageRange& y) { return x.begin == y.begin && x.end == y.end; });
}

}  // namespace

PageTracking TouchedPages::best() {
  for (const PageTracking means : {PageTracking::scan, PageTracking::soft_dirty})
    if (works(means)) return means;
  return PageTracking::none;
}

bool TouchedPages::works(PageTracking means) {
  Scratch scratch;
  TouchedPages trial;
  const PageRange all = scratch.range();
  PageVector<PageRange> expected, touched;
  if (!trial.watch(means, {&all, 1}) || !trial.find(touched) || !touched.empty()) return false;
  for (int i = 0; i < 2; ++i) {
    scratch.touch(expected);
    if (!trial.find(touched) || !same(touched, expected)) return false;
    if (!trial.forget() || !trial.find(touched) || !touched.empty()) return false;
  }
  return true;
}

bool TouchedPages::watch(PageTracking means, std::span<const PageRange> ranges) {
  close();
  ranges_.clear();
  for (const PageRange& range : ranges) ranges_.push_back(range);
  means_ = means;
  if (means == PageTracking::none) return false;
  page_map_ = open_of_self("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  if (page_map_ < 0) return false;
  if (means == PageTracking::scan) {
    faults_ = open_faults();
    return faults_ >= 0 && register_ranges();
  }
  clear_refs_ = open_of_self("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  return clear_refs_ >= 0 && forget();
}

bool TouchedPages::register_ranges() const {
  for (const PageRange& range : ranges_) {
    uffdio_register wanted{};
    wanted.range = {number(range.begin), static_cast<std::uint64_t>(range.end - range.begin)};
    wanted.mode = UFFDIO_REGISTER_MODE_WP;
    if (control(faults_, UFFDIO_REGISTER, &wanted) != 0 || !split_huge_pages(range) || !protect(range)) return false;
  }
  return true;
}

/// One write would mark a whole huge page as touched. The kernel splits a huge page if only a part is to be protected.
bool TouchedPages::split_huge_pages(const PageRange& range) const {
  call(SYS_madvise, reinterpret_cast<long>(range.begin), range.end - range.begin, MADV_NOHUGEPAGE);
  for (char* begin = range.begin; begin < range.end; begin = next_table(begin))
    if (!protect({begin, begin + kPageBytes})) return false;
  return true;
}

bool TouchedPages::protect(const PageRange& range) const {
  uffdio_writeprotect wanted{};
  wanted.range = {number(range.begin), static_cast<std::uint64_t>(range.end - range.begin)};
  wanted.mode = UFFDIO_WRITEPROTECT_MODE_WP;
  return control(faults_, UFFDIO_WRITEPROTECT, &wanted) == 0;
}

bool TouchedPages::find(PageVector<PageRange>& touched) const {
  touched.clear();
  for (const PageRange& range : ranges_) {
    const bool told = means_ == PageTracking::scan ? find_by_scan(range, touched) && find_dropped(range, touched)
                                                   : means_ == PageTracking::soft_dirty && find_by_bit(range, touched);
    if (!told) return false;
  }
  return true;
}

bool TouchedPages::find_by_scan(const PageRange& range, PageVector<PageRange>& touched) const {
  std::array<ScannedRegion, 128> found;
  ScanArguments arguments = scan_of(range);
  arguments.found = number(found.data());
  arguments.found_max = found.size();
  while (arguments.start < arguments.end) {
    const long count = control(page_map_, kScan, &arguments);
    if (count < 0 || arguments.walk_end <= arguments.start) return false;
    for (long i = 0; i < count; ++i)
      append(touched, address(found[static_cast<std::size_t>(i)].start),
             address(found[static_cast<std::size_t>(i)].end));
    arguments.start = arguments.walk_end;
  }
  return true;
}

/// The scan skips pages that were dropped together with their page table. Watched pages always have one: if the first
/// page that a table covers has no entry, and the scan has not reported it, the table is gone.
bool TouchedPages::find_dropped(const PageRange& range, PageVector<PageRange>& touched) const {
  const std::size_t scanned = touched.size();
  char* begin = range.begin;
  while (begin < range.end) {
    char* const end = std::min(next_table(begin), range.end);
    std::uint64_t entry = 0;
    if (!read_entries(page_map_, begin, {&entry, 1})) return false;
    const bool has_entry = (entry & (kPresent | kSwapped)) != 0;
    if (!has_entry && !covers(touched.span().first(scanned), begin)) append(touched, begin, end);
    begin = end;
  }
  return true;
}

/// After forget(), watched pages all have memory: a page without memory was dropped.
bool TouchedPages::find_by_bit(const PageRange& range, PageVector<PageRange>& touched) const {
  std::array<std::uint64_t, 512> entries;
  for (char* begin = range.begin; begin < range.end;) {
    const std::size_t count = std::min(entries.size(), static_cast<std::size_t>(range.end - begin) / kPageBytes);
    if (!read_entries(page_map_, begin, {entries.data(), count})) return false;
    for (std::size_t i = 0; i < count; ++i, begin += kPageBytes)
      if ((entries[i] & kSoftDirty) != 0 || (entries[i] & (kPresent | kSwapped)) == 0)
        append(touched, begin, begin + kPageBytes);
  }
  return true;
}

bool TouchedPages::forget() {
  if (means_ == PageTracking::soft_dirty) {
    for (const PageRange& range : ranges_)
      for (const char* page = range.begin; page < range.end; page += kPageBytes)
        static_cast<void>(*static_cast<const volatile char*>(page));
    return call(SYS_write, clear_refs_, reinterpret_cast<long>("4"), 1) == 1;
  }
  return std::ranges::all_of(ranges_.span(), [this](const PageRange& range) { return protect_again(range); });
}

/// Protects only what was touched: protecting everything takes ten times as long.
bool TouchedPages::protect_again(const PageRange& range) {
  ScanArguments arguments = scan_of(range);
  arguments.flags |= kProtect;
  dropped_.clear();
  return control(page_map_, kScan, &arguments) >= 0 && find_dropped(range, dropped_) &&
         std::ranges::all_of(dropped_.span(), [this](const PageRange& dropped) { return protect(dropped); });
}

void TouchedPages::close() {
  for (int* const descriptor : {&page_map_, &faults_, &clear_refs_}) {
    if (*descriptor >= 0) call(SYS_close, *descriptor);
    *descriptor = -1;
  }
}

}  // namespace heddle::engine
