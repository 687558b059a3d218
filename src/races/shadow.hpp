// A cell for every eight bytes of the program's memory that are ever accessed, and for every chunk of 256 bytes what
// its blank cells stand for.
//
// Allocating or freeing a block would have to write all of its cells. Instead it says of each chunk inside the block,
// once, what it is now, and blanks those cells that were used: most programs use few bytes of their large blocks, and
// many blocks are used by one operation for a short while. A cell is filled in from its chunk when it is accessed.
//
// The lookup has two levels: a directory of 4 MiB regions, and in each region an array of cells and one of chunks. The
// kernel provides their memory as it is touched.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"
#include "model/epoch.hpp"

namespace heddle::races {

using model::clock_of;
using model::Epoch;
using model::operation_of;

enum class CellState : std::uint8_t {
  simple,     // writes of one operation and, after them, reads of one operation, none of them atomic
  listed,     // anything: `write.now` is the start of the list, `read.now` a moment of the execution that it belongs to
  rolled,     // the same for many operations: `write.now` is the number of a roll (rolls.hpp)
  allocated,  // the block was allocated at `write.now`, and these bytes have not been accessed yet
  freed,      // the block was freed at `write.now`
};

/// Plain accesses of one kind by one operation, at its last two moments that matter. Each bit of a mask is a byte.
struct Accesses {
  Epoch now = 0;
  Epoch before = 0;        // an earlier moment of the same operation
  std::uint32_t site = 0;  // of the last access

  OperationId by() const { return operation_of(now); }
};

/// The accesses to these eight bytes that still matter.
struct Cell {
  Accesses write;
  Accesses read;
  std::uint8_t write_mask = 0;  // at `now`; all masks are zero unless the cell is simple, so the quick check finds
                                // nothing
  std::uint8_t write_mask_before = 0;
  std::uint8_t read_mask = 0;
  std::uint8_t read_mask_before = 0;
  CellState state = CellState::simple;

  /// Nothing is known of it but what its chunk says.
  bool is_blank() const { return write.now == 0 && read.now == 0; }
};
static_assert(sizeof(Cell) == 32);

class Shadow {
 public:
  static constexpr std::uintptr_t kGranule = 8;
  static constexpr std::uintptr_t kChunk = 256;

  /// What the blank cells of a chunk stand for: allocated or freed. Simple: nothing is known.
  struct Whole {
    Epoch when = 0;
    std::uint32_t site = 0;
    CellState state = CellState::simple;

    Cell cell() const { return {{when, 0, site}, {}, 0, 0, 0, 0, state}; }
  };

  /// Consecutive chunks of one region.
  class Chunks;

  void open();
  bool is_open() const { return directory_ != nullptr; }

  /// Null: nothing there was accessed yet.
  Cell* find(std::uintptr_t address) const {
    Region* const region = region_of(address);
    return region != nullptr ? region->cells + (address % kRegion) / kGranule : nullptr;
  }
  /// The cell, filled in. The caller may change it.
  Cell& at(std::uintptr_t address) {
    Cell& cell = make(address).cells[(address % kRegion) / kGranule];
    if (cell.is_blank()) [[unlikely]]
      fill(cell, address);
    return cell;
  }
  /// What `at` would give.
  Cell look(std::uintptr_t address) const;

  /// Visits a range: the cells at its edges one by one, and in between whole chunks, as many as lie side by side.
  template <typename OnCell, typename OnChunks>
  void walk(std::uintptr_t begin, std::uintptr_t end, const OnCell& on_cell, const OnChunks& on_chunks);

  /// Forgets the accesses there.
  void clear(std::uintptr_t begin, std::size_t bytes);
  void clear_all();

 private:
  static constexpr unsigned kRegionBits = 22;
  static constexpr std::uintptr_t kRegion = std::uintptr_t{1} << kRegionBits;
  static constexpr std::uintptr_t kDirectoryMask = (std::uintptr_t{1} << (47 - kRegionBits)) - 1;
  static constexpr std::size_t kCellsInChunk = kChunk / kGranule;
  static constexpr std::size_t kChunksInRegion = kRegion / kChunk;

  struct Region {  // all zero, which is its initial state
    Cell cells[kRegion / kGranule];
    Epoch whens[kChunksInRegion];  // of the wholes, and so on
    std::uint32_t sites[kChunksInRegion];
    CellState states[kChunksInRegion];
    std::uint8_t touched[kChunksInRegion];  // not 0: cells of the chunk may not be blank
  };

  Region* region_of(std::uintptr_t address) const { return directory_[(address >> kRegionBits) & kDirectoryMask]; }
  Region& make(std::uintptr_t address) {
    Region* const region = region_of(address);
    return region != nullptr ? *region : add(address);
  }
  Region& add(std::uintptr_t address);
  void fill(Cell& cell, std::uintptr_t address);
  void fill_chunk(std::uintptr_t address);

  Region** directory_ = nullptr;
  PageVector<Region*> regions_;
};

class Shadow::Chunks {
 public:
  std::uintptr_t begin() const { return address_; }
  std::size_t size() const { return count_; }
  Chunks nth(std::size_t i) const { return {region_, address_ + i * kChunk, 1}; }

  /// Are all cells blank, and do all stand for the same?
  bool are_one() const;
  bool are_touched() const;
  /// What the first stands for.
  Whole whole() const { return {region_.whens[first_], region_.sites[first_], region_.states[first_]}; }
  /// Blanks all cells, which stand for this from now on.
  void become(const Whole& whole) const;

 private:
  friend class Shadow;
  Chunks(Region& region, std::uintptr_t address, std::size_t count)
      : region_(region), address_(address), first_((address % kRegion) / kChunk), count_(count) {}

  Region& region_;
  std::uintptr_t address_;
  std::size_t first_;
  std::size_t count_;
};

template <typename OnCell, typename OnChunks>
void Shadow::walk(std::uintptr_t begin, std::uintptr_t end, const OnCell& on_cell, const OnChunks& on_chunks) {
  for (std::uintptr_t at = begin & ~(kGranule - 1); at < end;) {
    const std::uintptr_t stop = std::min(end, (at / kRegion + 1) * kRegion) & ~(kChunk - 1);
    if (at % kChunk == 0 && at < stop) {
      on_chunks(Chunks(make(at), at, (stop - at) / kChunk));
      at = stop;
    } else {
      on_cell(at);
      at += kGranule;
    }
  }
}

}  // namespace heddle::races
