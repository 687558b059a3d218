// Counts distinct items in memory that does not grow.
//
// The count is exact up to 2^15. Beyond that it is a HyperLogLog estimate (Flajolet et al. 2007) with 2^14 registers
// and a standard error of 0.8 %. An item is given as a hash of 64 well-mixed bits; two items with the same hash count
// as one.
#pragma once

#include <cstdint>

#include "base/page_vector.hpp"

namespace heddle::engine {

class DistinctCounter {
 public:
  DistinctCounter();

  /// True if the item had not been seen before (or, once counts are estimates, if the estimate may have grown).
  bool add(std::uint64_t hash);
  std::uint64_t count() const;
  /// The item will be added soon: prefetches its place in the table.
  void expect(std::uint64_t hash) const { __builtin_prefetch(table_.data() + (hash & (table_.size() - 1))); }
  bool is_exact() const { return exact_count_ <= kExactMax; }

 private:
  static constexpr std::uint32_t kExactMax = 1u << 15;
  static constexpr std::uint32_t kFirstTable = 1u << 10;
  static constexpr std::uint32_t kRegisterBits = 14;

  bool estimate(std::uint64_t hash);
  bool add_exactly(std::uint64_t hash);
  void grow();

  PageVector<std::uint64_t> table_;  // open addressing, at most half full; 0 is empty, and hash 0 is stored as 1
  PageVector<std::uint8_t> registers_;
  std::uint64_t exact_count_ = 0;  // kExactMax + 1: no longer exact
};

}  // namespace heddle::engine
