// Counts the classes of executions seen, and estimates how likely the next execution is to show a new one.
//
// Good and Turing (Good 1953): if n executions were drawn independently, the probability that the next one belongs to a
// class not seen before is about f1/n, where f1 is the number of classes seen exactly once. The interval is the normal
// approximation with variance (f1 (1 - f1/n) + 2 f2) / n^2. If no class was seen exactly once, the upper end is 3/n:
// the probability is below it in 95 of 100 such cases. Executions of strategies that learn or take turns are not
// independent; for these the figure is only an indication.
//
// Memory is bounded. Beyond kMost classes, only those whose hash ends in one more zero bit are kept, and so on. The
// count is then taken from a sample of the classes and scaled up.
#pragma once

#include <cstdint>
#include <optional>

#include "base/page_vector.hpp"
#include "trace/novelty.hpp"

namespace heddle::engine {

class ClassCounter {
 public:
  ClassCounter();

  /// True if the class is new; empty if that is not known, because the class is not in the sample.
  std::optional<bool> add(std::uint64_t hash);
  Novelty novelty() const;

 private:
  static constexpr std::uint32_t kMost = 1u << 17;

  struct Entry {
    std::uint64_t hash = 0;  // 0: empty
    std::uint64_t count = 0;
  };

  bool is_kept(std::uint64_t hash) const { return (hash & ((1ull << level_) - 1)) == 0; }
  Entry& entry(std::uint64_t hash);
  void thin_out();

  PageVector<Entry> table_;  // open addressing, at most half full
  std::uint64_t executions_ = 0;
  std::uint64_t classes_ = 0;  // classes in the table
  std::uint64_t once_ = 0;     // of these, seen once
  std::uint64_t twice_ = 0;
  std::uint32_t level_ = 0;  // a kept hash ends in this many zero bits
};

}  // namespace heddle::engine
