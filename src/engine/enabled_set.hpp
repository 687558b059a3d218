// The operations that can take the next step, as strategies see them.
//
// In most programs only a few operations are enabled at a time: their ids are an array, ascending. Which of them come
// and go is as random as the schedule, so no code for a few branches on their position: a loop that ends at a random
// place is mispredicted every time, and that costs more than moving eight ids. Many are bits (model/operation_set.hpp),
// so that it costs no more to let one come or go than if they were few, and all that wait for one thing come and go
// together.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/arch/x86_64/eight_numbers.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "model/operation_set.hpp"
#include "strategy/enabled_view.hpp"

namespace heddle::engine {

class EnabledSet {
 public:
  std::size_t size() const { return are_many() ? many_.size() : few_; }
  bool empty() const { return size() == 0; }
  OperationId operator[](std::size_t i) const { return are_many() ? many_.nth(i) : ids_[i]; }
  strategy::EnabledView view() const { return are_many() ? strategy::EnabledView(many_) : few(); }

  /// From one to eight of them, as nearly always.
  bool are_few() const { return few_ - 1 < kFew; }
  strategy::EnabledView few() const { return std::span<const OperationId>(ids_.data(), few_); }

  void clear() {
    if (are_many()) many_.clear();
    few_ = 0;
    ids_.reserve(3 * kFew);  // the range that moves of a few ids read and write
  }

  /// `id` must be greater than all ids in the set.
  void append(OperationId id) {
    if (few_ >= kFew) [[unlikely]]
      return insert_among_many(id);
    ids_.data()[few_++] = id;
  }

  void insert(OperationId id) {
    if (few_ >= kFew) [[unlikely]]
      return insert_among_many(id);
    OperationId* const at = ids_.data() + position(id);
    move_eight(at, at + 1);
    *at = id;
    ++few_;
  }

  void erase(OperationId id) {
    if (are_many()) [[unlikely]]
      return erase_among_many(id);
    OperationId* const at = ids_.data() + position(id);
    move_eight(at + 1, at);
    --few_;
  }

  /// None of them is in the set.
  void insert_all(const model::OperationSet& ids) {
    become_many();
    many_.insert_all(ids);
  }

  /// All of them are in the set. What is left stays bits, because a group that has left mostly comes back.
  void erase_all(const model::OperationSet& ids) {
    become_many();
    many_.erase_all(ids);
  }

 private:
  static constexpr std::uint32_t kFew = 8;
  static constexpr std::uint32_t kFewAgain = 4;  // less than kFew, so that a set does not change between the two each
                                                 // time
  static constexpr std::uint32_t kNotFew = kFew + 1;
  static_assert(sizeof(OperationId) == sizeof(std::uint32_t));

  bool are_many() const { return few_ == kNotFew; }

  // The number of ids that are less. Values beyond the last id are stale and are masked out.
  std::size_t position(OperationId id) const {
    const std::uint32_t less = which_of_eight_are_less(ids_.data(), index(id));
    return static_cast<std::size_t>(std::countr_one(less & ((1u << few_) - 1)));
  }

  [[gnu::noinline]] void insert_among_many(OperationId id) {
    become_many();
    many_.insert(id);
  }

  [[gnu::noinline]] void erase_among_many(OperationId id) {
    many_.erase(id);
    if (many_.size() > kFewAgain) return;
    few_ = 0;
    for (const OperationId left : many_.span()) ids_.data()[few_++] = left;
    many_.clear();
  }

  void become_many() {
    if (are_many()) return;
    for (std::uint32_t i = 0; i < few_; ++i) many_.insert(ids_.data()[i]);
    few_ = kNotFew;
  }

  std::uint32_t few_ = 0;        // ids in ids_; kNotFew: they are in many_
  PageVector<OperationId> ids_;  // its size is not used
  model::OperationSet many_;     // empty unless there are many
};

}  // namespace heddle::engine
