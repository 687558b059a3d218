// Finds accesses of memory that nothing orders, one of which writes: data races; and accesses of freed blocks.
//
// To allocate a block and to free it count as writes. Of an allocation that is known only until the eight bytes are
// accessed by an operation that it is before: what that operation does is what others race with.
//
// Of each eight bytes it keeps the accesses that matter still: one that is before a later access at least as strong as
// itself (a write is stronger than a read, a plain access than an atomic one) can be forgotten, because whatever races
// with it races with the later one as well. So every access that races with any before it is found. Most of the time
// one write and one read are left, which the cell itself holds, as in FastTrack (Flanagan and Freund, PLDI 2009); an
// access that was made in this very moment of its operation costs a compare. Whatever does not fit is kept in a list.
//
// Accesses of one operation in one moment are kept as one, under the site of the last. Whoever needs to know which one
// it was says so (`names_exactly`): then only those of one site are, which costs more lists. What is found, and of
// which operation and kind, is the same.
//
// One operation runs at a time, so nothing here is atomic or locked.
#pragma once

#include <cstdint>

#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "races/order.hpp"
#include "races/shadow.hpp"

namespace heddle::races {

enum class AccessKind : std::uint8_t {
  read,
  write,
  atomic_read,
  atomic_write,
  free,
  allocate,
  use
};  // use: of an object that operations synchronise by

constexpr bool writes(AccessKind kind) { return kind != AccessKind::read && kind != AccessKind::atomic_read; }
constexpr bool is_atomic(AccessKind kind) {
  return kind == AccessKind::atomic_read || kind == AccessKind::atomic_write;
}

struct Access {
  OperationId who = kNoOperation;
  AccessKind kind = AccessKind::read;
  std::uint32_t site = 0;  // the caller's number for it: where and how it was made
};

/// What is wrong with an access.
struct Conflict {
  enum class Kind : std::uint8_t { none, race, freed };
  Kind kind = Kind::none;
  std::uintptr_t address = 0;  // the first byte that both touch
  std::uint32_t bytes = 0;     // of the later access
  Access earlier;
  Access later;
  Epoch when = 0;  // the moment of the earlier access
};

class Detector {
 public:
  explicit Detector(Order& order) : order_(order) {}

  void open() { shadow_.open(); }
  /// After Order::begin, with what it said.
  void begin(bool clocks_began_anew, bool names_exactly);

  /// By the running operation; one that was watched in time. The usual case: it was made in this moment already.
  template <std::uint32_t kBytes, bool kWrites>
  [[gnu::always_inline]] bool is_known(std::uintptr_t address, Epoch now) const {
    const Cell* const cell = shadow_.find(address);
    if (cell == nullptr) [[unlikely]]
      return false;
    const unsigned mask = ((1u << kBytes) - 1) << (address % Shadow::kGranule);
    if (mask > 0xff) [[unlikely]]  // it goes on in the next cell
      return false;
    return kWrites ? cell->write.now == now && (cell->write_mask & mask) == mask
                   : cell->read.now == now && (cell->read_mask & mask) == mask;
  }

  /// Most accesses, if they touch one cell. False: `access` has to look.
  bool access_quickly(const Access& access, std::uintptr_t address, std::size_t bytes);
  /// Any access. The first conflict is returned; the access counts as made.
  Conflict access(const Access& access, std::uintptr_t address, std::size_t bytes);
  /// The block is freed: it counts as written, and must not be accessed any more.
  Conflict free(const Access& access, std::uintptr_t address, std::size_t bytes);
  /// Only whether the bytes were freed; nothing is kept of the access.
  Conflict use_of_freed(const Access& access, std::uintptr_t address, std::size_t bytes) const;
  /// A new block: what was accessed there before was another object, and to allocate it counts as a write.
  void allocate(const Access& access, std::uintptr_t address, std::size_t bytes);
  /// A new object is there: what was accessed before was another.
  void forget(std::uintptr_t address, std::size_t bytes) { shadow_.clear(address, bytes); }

 private:
  struct Entry {
    Epoch when;
    std::uint32_t site;
    std::uint32_t next;  // index + 1 in entries_; 0: the last
    std::uint8_t mask;
    AccessKind kind;
  };
  struct Kept {  // those of one cell, oldest first
    static constexpr std::uint32_t kMost = 256;
    Entry entries[kMost];
    std::uint32_t count = 0;
    void add(const Entry& entry);
  };

  void access_cell(const Access& access, std::uintptr_t granule, std::uint8_t mask, Conflict& conflict);
  const Entry* told(const Kept& kept, const Access& access, std::uint8_t mask) const;
  bool is_one_with(const Entry& entry, const Access& access, Epoch now, std::uint8_t mask) const;
  bool keeps_apart(const Accesses& earlier, std::uint8_t left, const Access& access) const {
    return names_exactly_ && left != 0 && earlier.site != access.site;
  }
  /// It is over for `who`: nothing that `who` does can race with it.
  bool is_over(const Cell& allocated, OperationId who) const {
    return is_stale(allocated.write.now) || is_before(allocated.write.now, who);
  }
  bool update_simple(Cell& cell, const Access& access, Epoch now, std::uint8_t mask) const;
  bool update_list(Cell& cell, const Access& access, Epoch now, std::uint8_t mask);
  void load(Cell& cell, Kept& kept);
  bool fits_in_cell(const Kept& kept, bool is_ordered) const;
  void store(Cell& cell, const Kept& kept, bool is_ordered);
  void release(Cell& cell);
  std::uint32_t take_entry();
  bool is_stale(Epoch epoch) const { return clock_of(epoch) < order_.first_clock(); }
  bool is_before(Epoch epoch, OperationId who) const {
    return operation_of(epoch) == who || order_.is_before(epoch, who);
  }

  Order& order_;
  Shadow shadow_;
  PageVector<Entry> entries_;
  PageVector<Epoch> seen_;    // the writes that the current access has read from
  std::uint32_t unused_ = 0;  // index + 1 of the first free one in entries_
  bool names_exactly_ = false;
};

}  // namespace heddle::races
