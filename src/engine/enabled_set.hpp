// The operations that can take the next step: their ids, ascending, in one array that strategies see as it is.
//
// In most programs only a few operations are enabled at a time, and which of them come and go is as random as the
// schedule. So for a few ids no code here branches on their position: a loop that ends at a random place is
// mispredicted every time, and that costs more than moving eight ids.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arch/x86_64/eight_numbers.hpp"
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
    ids_.reserve(3 * kFew);  // the range that moves of a few ids read and write
  }

  /// `id` must be greater than all ids in the set.
  void append(OperationId id) { ids_.push_back(id); }

  void insert(OperationId id) {
    if (size() >= kFew) [[unlikely]] {
      ids_.insert(position_among_many(id), id);
      return;
    }
    OperationId* const at = ids_.data() + position(id);
    move_eight(at, at + 1);
    *at = id;
    ids_.set_size(size() + 1);
  }

  void erase(OperationId id) {
    if (size() > kFew) [[unlikely]] {
      ids_.erase(position_among_many(id));
      return;
    }
    OperationId* const at = ids_.data() + position(id);
    move_eight(at + 1, at);
    ids_.set_size(size() - 1);
  }

  /// Takes the content of `ids`, which is ascending, and gives it the old ids in exchange.
  void swap(PageVector<OperationId>& ids) {
    ids_.swap(ids);
    ids_.reserve(3 * kFew);
  }

 private:
  static constexpr std::size_t kFew = 8;
  static_assert(sizeof(OperationId) == sizeof(std::uint32_t));

  // The number of ids that are less. Values beyond the last id are stale and are masked out.
  std::size_t position(OperationId id) const {
    const std::uint32_t less = which_of_eight_are_less(ids_.data(), index(id));
    return static_cast<std::size_t>(std::countr_one(less & ((1u << size()) - 1)));
  }

  std::size_t position_among_many(OperationId id) const {
    return static_cast<std::size_t>(std::lower_bound(begin(), end(), id) - begin());
  }

  PageVector<OperationId> ids_;
};

}  // namespace heddle::engine
