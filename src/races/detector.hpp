// Finds data races, which are unordered accesses to the same memory of which at least one writes, and accesses to freed
// blocks.
//
// Allocating and freeing a block count as writes. An allocation is remembered only until the eight bytes are accessed
// by an operation that it happened before. From then on, other operations race with that operation's access.
//
// For each eight bytes the detector keeps the accesses that still matter. An access can be forgotten if it happened
// before a later one at least as strong: a write is stronger than a read, and a plain access is stronger than an atomic
// one. Whatever races with the earlier access then also races with the later one. So every access that races with any
// earlier one is found. Usually one write and one read remain, and the cell itself holds them, as in FastTrack
// (Flanagan and Freund, PLDI 2009). A whole block that is allocated or freed is told to the shadow memory in one word
// for each 256 bytes, and only what was accessed of it is looked at. An access that its operation has already made at
// the same moment costs one comparison. Whatever does not fit in the cell is kept in a list, and in a roll where the
// list would be long.
//
// Accesses of one operation at one moment are merged, under the site of the last. A caller that needs the exact access
// sets `names_exactly`: then only accesses from one site are merged, which needs more lists. The conflicts found, and
// their operations and kinds, are the same either way.
//
// One operation runs at a time, so nothing here is atomic or locked.
#pragma once

#include <cstdint>

#include "base/access_kind.hpp"
#include "base/ids.hpp"
#include "base/page_vector.hpp"
#include "model/happens_before.hpp"
#include "races/rolls.hpp"
#include "races/shadow.hpp"

namespace heddle::races {

constexpr bool writes(AccessKind kind) { return kind != AccessKind::read && kind != AccessKind::atomic_read; }
constexpr bool is_atomic(AccessKind kind) {
  return kind == AccessKind::atomic_read || kind == AccessKind::atomic_write;
}

struct Access {
  OperationId who = kNoOperation;
  AccessKind kind = AccessKind::read;
  std::uint32_t site = 0;  // the caller's number for where and how the access was made
};

/// What is wrong with an access.
struct Conflict {
  enum class Kind : std::uint8_t { none, race, freed };
  Kind kind = Kind::none;
  std::uintptr_t address = 0;  // the first byte that both accesses touch
  std::uint32_t bytes = 0;     // of the later access
  Access earlier;
  Access later;
  Epoch when = 0;  // the moment of the earlier access
};

class Detector {
 public:
  explicit Detector(model::HappensBefore& order) : order_(order) {}

  void open() { shadow_.open(); }
  /// Call after HappensBefore::begin, and pass on its result.
  void begin(bool clocks_began_anew, bool names_exactly);

  /// Has the running operation already made this access at this moment? This is the usual case. The operation must be
  /// watched.
  template <std::uint32_t kBytes, bool kWrites>
  [[gnu::always_inline]] bool is_known(std::uintptr_t address, Epoch now) const {
    const Cell* const cell = shadow_.find(address);
    if (cell == nullptr) [[unlikely]]
      return false;
    const unsigned mask = ((1u << kBytes) - 1) << (address % Shadow::kGranule);
    if (mask > 0xff) [[unlikely]]  // the access continues in the next cell
      return false;
    return kWrites ? cell->write.now == now && (cell->write_mask & mask) == mask
                   : cell->read.now == now && (cell->read_mask & mask) == mask;
  }

  /// Handles most accesses that touch a single cell. False: call `access`.
  bool access_quickly(const Access& access, std::uintptr_t address, std::size_t bytes);
  /// Handles any access. Returns the first conflict; the access is recorded in any case.
  Conflict access(const Access& access, std::uintptr_t address, std::size_t bytes);
  /// Frees the block: counts as a write, and the block must not be accessed afterwards.
  Conflict free(const Access& access, std::uintptr_t address, std::size_t bytes);
  /// Only checks whether the bytes were freed. The access is not recorded.
  Conflict use_of_freed(const Access& access, std::uintptr_t address, std::size_t bytes) const;
  /// A new block. Earlier accesses there were to another object. The allocation counts as a write.
  void allocate(const Access& access, std::uintptr_t address, std::size_t bytes);
  /// A new object is there. Earlier accesses were to another object.
  void forget(std::uintptr_t address, std::size_t bytes) { shadow_.clear(address, bytes); }

 private:
  struct Entry {
    Epoch when;
    std::uint32_t site;
    std::uint32_t next;  // index + 1 in entries_; 0: the last
    std::uint8_t mask;
    AccessKind kind;
  };
  struct Kept {  // the accesses of one cell, oldest first
    static constexpr std::uint32_t kMost = 256;
    Entry entries[kMost];
    std::uint32_t count = 0;
    void add(const Entry& entry);
  };

  void access_cell(const Access& access, std::uintptr_t granule, std::uint8_t mask, Conflict& conflict);
  void free_chunks(const Access& access, const Shadow::Chunks& chunks, Conflict& conflict);
  const Entry* told(const Kept& kept, const Access& access, std::uint8_t mask) const;
  /// May one entry, of a list or of a roll, represent both accesses?
  template <typename Made>
  bool is_one_with(const Made& made, const Access& access, Epoch now, std::uint8_t mask) const {
    if (made.when != now || made.kind != access.kind) return false;
    return !names_exactly_ || made.site == access.site || (made.mask & ~mask) == 0;
  }
  bool keeps_apart(const Accesses& earlier, std::uint8_t left, const Access& access) const {
    return names_exactly_ && left != 0 && earlier.site != access.site;
  }
  /// Nothing that `who` does can race with the allocation.
  bool is_over(const Cell& allocated, OperationId who) const {
    return is_stale(allocated.write.now) || is_before(allocated.write.now, who);
  }
  bool update_simple(Cell& cell, const Access& access, Epoch now, std::uint8_t mask) const;
  bool update_many(Cell& cell, const Access& access, Epoch now, std::uint8_t mask) {
    return cell.state == CellState::listed ? update_list(cell, access, now, mask)
                                           : cell.state == CellState::rolled && update_roll(cell, access, now, mask);
  }
  bool update_list(Cell& cell, const Access& access, Epoch now, std::uint8_t mask);
  bool update_roll(Cell& cell, const Access& access, Epoch now, std::uint8_t mask);
  bool races_in_roll(const Rolls::Roll& roll, const Access& access, std::uint8_t mask);
  void give_way(Rolls::Roll& roll, std::uint32_t at, std::uint8_t mask);
  void roll_up(Cell& cell, OperationId highest);
  void unroll(Cell& cell);
  void load(Cell& cell, const Access& access, Kept& kept);
  bool fits_in_cell(const Kept& kept, bool is_ordered) const;
  void store(Cell& cell, const Kept& kept, bool is_ordered);
  void release(Cell& cell);
  std::uint32_t take_entry();
  bool is_stale(Epoch epoch) const { return clock_of(epoch) < order_.first_clock(); }
  bool is_before(Epoch epoch, OperationId who) const {
    return operation_of(epoch) == who || order_.is_before(epoch, who);
  }

  model::HappensBefore& order_;
  Shadow shadow_;
  PageVector<Entry> entries_;  // of lists
  Rolls rolls_;
  PageVector<Epoch> seen_;    // the writes that the current access has read from
  std::uint32_t unused_ = 0;  // index + 1 of the first free entry in entries_
  bool has_freed_ = false;    // a block, in this execution
  bool names_exactly_ = false;
};

}  // namespace heddle::races
