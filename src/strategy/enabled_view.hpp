// The enabled operations as a strategy sees them: ascending, by position or one after the other.
//
// Few are an array. Many are a set of bits; a strategy that looks at one or two of them, as a random walk does, costs
// no time for the rest. One that goes through all of them, or takes the span, has the array made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "base/ids.hpp"
#include "model/operation_set.hpp"

namespace heddle::strategy {

/// As large as a span, so that it is passed in registers.
class EnabledView {
 public:
  EnabledView(std::span<const OperationId> ids) : from_(ids.data()), size_(static_cast<std::uint32_t>(ids.size())) {}
  template <typename Ids>
  requires(!std::is_same_v<Ids, EnabledView> && std::is_convertible_v<const Ids&, std::span<const OperationId>>)
      EnabledView(const Ids& ids)
      : EnabledView(std::span<const OperationId>(ids)) {}
  EnabledView(const model::OperationSet& many)
      : from_(&many), size_(static_cast<std::uint32_t>(many.size())), are_many_(true) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  OperationId operator[](std::size_t i) const {
    if (are_many_) [[unlikely]]
      return many().nth(i);
    return ids()[i];
  }
  OperationId front() const { return (*this)[0]; }
  OperationId back() const { return are_many_ ? many().back() : ids()[size_ - 1]; }
  bool contains(OperationId id) const {
    if (are_many_) return many().contains(id);
    for (std::size_t i = 0; i < size_; ++i)
      if (ids()[i] == id) return true;
    return false;
  }

  std::span<const OperationId> span() const {
    return are_many_ ? many().span() : std::span<const OperationId>{ids(), size_};
  }
  operator std::span<const OperationId>() const { return span(); }
  std::span<const OperationId> subspan(std::size_t from) const { return span().subspan(from); }
  const OperationId* begin() const { return span().data(); }
  const OperationId* end() const { return begin() + size_; }

 private:
  const OperationId* ids() const { return static_cast<const OperationId*>(from_); }
  const model::OperationSet& many() const { return *static_cast<const model::OperationSet*>(from_); }

  const void* from_;
  std::uint32_t size_;
  bool are_many_ = false;  // from_ is a set, else an array
};
static_assert(sizeof(EnabledView) == 16);

}  // namespace heddle::strategy
