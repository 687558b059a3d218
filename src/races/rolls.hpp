// The accesses to one cell, where many operations have made some: each operation finds its own at once.
//
// A list (detector.hpp) is walked for every access, so it costs time in proportion to the operations that read the same
// bytes. A roll keeps the accesses by kind, oldest first, and knows the latest of every operation. An access can race
// only with those of some kinds, and usually there are none or few of these: a read looks at the writes, and an atomic
// access at the plain ones. It replaces what its own operation did before. What others did before it stays until they
// access the cell again, or until a plain write comes, which looks at everything: that changes nothing that is found,
// because whatever races with the earlier access also races with the later one, and the later one is told.
//
// A roll costs 32 bytes for an access, and up to 64 for the table of the operations.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/access_kind.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "model/epoch.hpp"

namespace heddle::races {

class Rolls {
 public:
  static constexpr std::size_t kKinds = 4;  // read, write, atomic_read, atomic_write

  struct Entry {
    model::Epoch when;
    std::uint32_t site;
    std::uint32_t next;  // of its kind; like all links, index + 1, and 0 for none
    std::uint32_t previous;
    std::uint32_t earlier;  // of its operation
    std::uint32_t order;    // the place among all of the roll
    std::uint8_t mask;
    AccessKind kind;
  };

  struct Roll {
    std::array<std::uint32_t, kKinds> first{};
    std::array<std::uint32_t, kKinds> last{};
    std::uint32_t table = 0;     // where in latest_ its table begins
    std::uint32_t capacity = 0;  // operations in the table: a power of two
    std::uint32_t size = 0;
    std::uint32_t next_order = 0;
    OperationId last_by = kNoOperation;  // the operation that made the last access
    std::uint32_t run_began = 0;         // from this order on, no other operation's access came in between
  };

  void begin() {
    rolls_.clear();
    entries_.clear();
    latest_.clear();
    unused_rolls_ = unused_entries_ = 0;
    unused_tables_ = {};
  }

  /// Is a table worth its memory, for so many accesses?
  static bool is_worth(std::uint32_t accesses, OperationId highest) {
    return accesses > kMany && accesses * kTableMost >= capacity_for(highest);
  }
  static bool is_few(const Roll& roll) { return roll.size < kMany / 2; }

  std::uint32_t make(OperationId highest);
  void release(std::uint32_t number);

  Roll& operator[](std::uint32_t number) { return rolls_[number - 1]; }
  Entry& entry(std::uint32_t at) { return entries_[at - 1]; }
  static bool has(AccessKind kind) { return number_of(kind) < kKinds; }
  static std::size_t number_of(AccessKind kind) { return static_cast<std::size_t>(kind); }

  /// The latest access of the operation; `Entry::earlier` leads to the others.
  std::uint32_t latest(const Roll& roll, OperationId who) const {
    return index(who) < roll.capacity ? latest_[roll.table + index(who)] : 0;
  }
  /// The operation accesses the cell: an access before it that is not of this run has others after it.
  static void note(Roll& roll, OperationId who) {
    if (roll.last_by == who) return;
    roll.last_by = who;
    roll.run_began = roll.next_order;
  }
  void append(std::uint32_t number, model::Epoch when, std::uint32_t site, std::uint8_t mask, AccessKind kind);
  void remove(Roll& roll, std::uint32_t at);

  /// Visits all accesses, the oldest first.
  template <typename Visit>
  void for_each(const Roll& roll, const Visit& visit) {
    std::array<std::uint32_t, kKinds> at = roll.first;
    for (std::uint32_t i = 0; i < roll.size; ++i) {
      std::size_t oldest = kKinds;
      for (std::size_t kind = 0; kind < kKinds; ++kind)
        if (at[kind] != 0 && (oldest == kKinds || entry(at[kind]).order < entry(at[oldest]).order)) oldest = kind;
      const Entry& one = entry(at[oldest]);
      at[oldest] = one.next;
      visit(one);
    }
  }

 private:
  static constexpr std::uint32_t kMany = 16;
  static constexpr std::uint32_t kTableMost = 16;  // operations in the table for each access
  static constexpr std::uint32_t kLeast = 32;

  static std::uint32_t capacity_for(OperationId highest) { return std::max(kLeast, std::bit_ceil(index(highest) + 1)); }
  static std::size_t class_of(std::uint32_t capacity) { return static_cast<std::size_t>(std::countr_zero(capacity)); }

  std::uint32_t take_table(std::uint32_t capacity);
  void give_back_table(std::uint32_t table, std::uint32_t capacity);
  void grow(Roll& roll, OperationId highest);

  PageVector<Roll> rolls_;
  PageVector<Entry> entries_;
  PageVector<std::uint32_t> latest_;               // all tables
  std::uint32_t unused_rolls_ = 0;                 // linked by `table`
  std::uint32_t unused_entries_ = 0;               // linked by `next`
  std::array<std::uint32_t, 32> unused_tables_{};  // by class; the first word leads to the next
};

}  // namespace heddle::races
