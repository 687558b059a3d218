// Which pages of this process were written to since the last call to forget().
//
// The kernel keeps track, by the first of two means that works here. Which one works is found by a trial on our own
// pages:
//   scan        userfaultfd write-protects pages, the kernel lifts the protection itself at the first write, and
//               PAGEMAP_SCAN lists where it is lifted (Linux 6.7). A page costs one fault (1.2 us); a look costs 2 ns a
//               page.
//   soft_dirty  bit 55 of /proc/self/pagemap, cleared for the whole process by clear_refs.
// Both also see what system calls write. Making pages read-only and handling the fault would not work: a system call
// that writes to such a page fails with EFAULT, libc makes such calls unobserved, and the program would behave
// differently. Where neither means works, the caller must treat every page as touched.
//
// A page that was dropped (MADV_DONTNEED) counts as touched, because its contents have changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/page_vector.hpp"

namespace heddle::engine {

inline constexpr std::size_t kPageBytes = 4096;

/// Whole pages.
struct PageRange {
  char* begin;
  char* end;

  std::size_t pages() const { return static_cast<std::size_t>(end - begin) / kPageBytes; }
};

enum class PageTracking : std::uint8_t { none, scan, soft_dirty };

class TouchedPages {
 public:
  TouchedPages() = default;  // its descriptors are among heddle's own
  ~TouchedPages() { close(); }
  TouchedPages(const TouchedPages&) = delete;
  TouchedPages& operator=(const TouchedPages&) = delete;

  /// The best means that works in this process; `none` if no means works.
  static PageTracking best();
  static bool works(PageTracking means);

  /// Starts watching; nothing counts as touched yet. Applies to this process only, not to its forks. False: refused.
  bool watch(PageTracking means, std::span<const PageRange> ranges);
  /// The pages touched since the last `forget`, in the order of the ranges. False: the kernel can no longer tell.
  bool find(PageVector<PageRange>& touched) const;
  bool forget();

 private:
  bool register_ranges() const;
  bool split_huge_pages(const PageRange& range) const;
  bool protect(const PageRange& range) const;
  bool protect_again(const PageRange& range);
  bool find_by_scan(const PageRange& range, PageVector<PageRange>& touched) const;
  bool find_dropped(const PageRange& range, PageVector<PageRange>& touched) const;
  bool find_by_bit(const PageRange& range, PageVector<PageRange>& touched) const;
  void close();

  PageTracking means_ = PageTracking::none;
  PageVector<PageRange> ranges_;
  PageVector<PageRange> dropped_;
  int page_map_ = -1;
  int faults_ = -1;      // userfaultfd, for scan
  int clear_refs_ = -1;  // for soft_dirty
};

}  // namespace heddle::engine
