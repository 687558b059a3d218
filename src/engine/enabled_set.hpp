// The operations that can take the next step: their ids, ascending, in one array that a strategy sees as it is.
//
// In most programs a handful is enabled at a time, and which of them comes or goes is as random as the schedule. So for
// a few ids nothing here branches on where they stand: a loop that ends at a random place is mispredicted each time,
// and that costs more than moving eight ids.
#pragma once

#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.hpp"
#include "base/page_vector.hpp"

namespace heddle::engine {

class EnabledSet {
 public:
  std::span<const OperationId> span() const { return ids_.span(); }
  std::size_t size() const { return ids_.size(); }
  bool empty() const { return ids_.empty(); }
  OperationId operator[](std::size_t i) const { return ids_[i]; }
  const OperationId* begin() const { return ids_.begin(); }
  const OperationId* end() const { return ids_.end(); }

  void clear() {
    ids_.clear();
    ids_.reserve(3 * kFew);  // what the moves of a few read and write
  }

  /// An id above all that are in.
  void append(OperationId id) { ids_.push_back(id); }

  void insert(OperationId id) {
    if (size() >= kFew) [[unlikely]] {
      ids_.insert(position_among_many(id), id);
      return;
    }
    OperationId* const at = ids_.data() + position(id);
    move_few(at, at + 1);
    *at = id;
    ids_.set_size(size() + 1);
  }

  void erase(OperationId id) {
    if (size() > kFew) [[unlikely]] {
      ids_.erase(position_among_many(id));
      return;
    }
    OperationId* const at = ids_.data() + position(id);
    move_few(at + 1, at);
    ids_.set_size(size() - 1);
  }

  /// Takes over what `ids` holds, ascending, and leaves it the old ids.
  void swap(PageVector<OperationId>& ids) {
    ids_.swap(ids);
    ids_.reserve(3 * kFew);
  }

 private:
  static constexpr std::size_t kFew = 8;

  // How many ids are less. What stands beyond the last one is left over from before, and masked out.
  std::size_t position(OperationId id) const {
    const __m128i wanted = _mm_set1_epi32(static_cast<int>(index(id)));
    const auto* const ids = reinterpret_cast<const __m128i*>(ids_.data());
    const __m128i low = _mm_cmplt_epi32(_mm_loadu_si128(ids), wanted);
    const __m128i high = _mm_cmplt_epi32(_mm_loadu_si128(ids + 1), wanted);
    const auto less = static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(low)) |
                                                 _mm_movemask_ps(_mm_castsi128_ps(high)) << 4);
    return static_cast<std::size_t>(std::countr_one(less & ((1u << size()) - 1)));
  }

  std::size_t position_among_many(OperationId id) const {
    return static_cast<std::size_t>(std::lower_bound(begin(), end(), id) - begin());
  }

  static void move_few(const OperationId* from, OperationId* to) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 4));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), low);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + 4), high);
  }

  PageVector<OperationId> ids_;
};

}  // namespace heddle::engine
