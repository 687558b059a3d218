// Which pages of this process were written to since it was last asked to forget.
//
// The kernel keeps the account, by the first of two means that works here, found by trial on pages of our own:
//   scan        userfaultfd write-protects pages, the kernel lifts that itself at the first write, and PAGEMAP_SCAN
//               lists where it is lifted (Linux 6.7). A page costs one fault (1.2 us); a look costs 2 ns a page.
//   soft_dirty  bit 55 of /proc/self/pagemap, cleared for the whole process by clear_refs.
// Both see what system calls write, too. Pages made read-only, with a handler for the fault, would not do: a system
// call that writes to one fails with EFAULT, libc makes such calls without anybody seeing them, and the program would
// take another way. Where neither works the caller must take every page for touched.
//
// A page that was dropped (MADV_DONTNEED) counts as touched: it holds something else.
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
  /// Descriptors that it needs are this one or above, out of the program's way.
  explicit TouchedPages(int first_descriptor) : first_descriptor_(first_descriptor) {}
  ~TouchedPages() { close(); }
  TouchedPages(const TouchedPages&) = delete;
  TouchedPages& operator=(const TouchedPages&) = delete;

  /// The best means that works in this process; none is `none`.
  static PageTracking best(int first_descriptor);
  static bool works(PageTracking means, int first_descriptor);

  /// From now on; nothing counts as touched yet. Only for this process: not for one that it forks. False: refused.
  bool watch(PageTracking means, std::span<const PageRange> ranges);
  /// What was touched since the last `forget`, in the order of the ranges. False: the kernel cannot tell any more.
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

  int first_descriptor_;
  PageTracking means_ = PageTracking::none;
  PageVector<PageRange> ranges_;
  PageVector<PageRange> dropped_;
  int page_map_ = -1;
  int faults_ = -1;      // userfaultfd, of scan
  int clear_refs_ = -1;  // of soft_dirty
};

}  // namespace heddle::engine
