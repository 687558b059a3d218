// How many classes of executions were seen, and how likely the next execution shows another.
//
// Good and Turing (Good 1953): if n executions were drawn independently, the chance that the next one is of a class not
// seen before is about f1/n, where f1 is the number of classes that were seen exactly once. The interval is the normal
// approximation with variance (f1 (1 - f1/n) + 2 f2) / n^2; where no class was seen once, its upper end is 3/n, below
// which the chance lies in 95 of 100 such cases. For strategies that learn or take turns executions are not
// independent, and the figure is an indication.
//
// Memory is bounded: beyond kMost classes, only those are kept whose hash ends in one more zero bit, and so on. What is
// counted is then a sample of the classes, and scaled.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"
#include "trace/novelty.hpp"

namespace heddle::engine {

class ClassCounter {
 public:
  ClassCounter();

  void add(std::uint64_t hash);
  Novelty novelty() const;

 private:
  static constexpr std::uint32_t kMost = 1u << 17;

  struct Entry {
    std::uint64_t hash = 0;  // 0: none
    std::uint64_t count = 0;
  };

  bool is_kept(std::uint64_t hash) const { return (hash & ((1ull << level_) - 1)) == 0; }
  Entry& entry(std::uint64_t hash);
  void thin_out();

  PageVector<Entry> table_;  // open addressing, at most half full
  std::uint64_t executions_ = 0;
  std::uint64_t classes_ = 0;  // that are kept
  std::uint64_t once_ = 0;     // of those, seen once
  std::uint64_t twice_ = 0;
  std::uint32_t level_ = 0;  // zero bits at the end of a hash that is kept
};

}  // namespace heddle::engine
