// A cell for every eight bytes of the program's memory that are ever accessed.
//
// The lookup has two levels: a directory of 4 MiB regions, and in each region an array of cells. The kernel provides
// the memory of the cells as they are touched.
#pragma once

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
};
static_assert(sizeof(Cell) == 32);

class Shadow {
 public:
  static constexpr std::uintptr_t kGranule = 8;

  void open();
  bool is_open() const { return directory_ != nullptr; }

  /// Null: nothing there was accessed yet.
  Cell* find(std::uintptr_t address) const {
    Cell* const region = directory_[(address >> kRegionBits) & kDirectoryMask];
    return region != nullptr ? region + (address % kRegion) / kGranule : nullptr;
  }
  Cell& at(std::uintptr_t address) {
    Cell* const found = find(address);
    return found != nullptr ? *found : make(address);
  }
  /// Forgets the accesses there.
  void clear(std::uintptr_t begin, std::size_t bytes);
  void clear_all();

 private:
  static constexpr unsigned kRegionBits = 22;
  static constexpr std::uintptr_t kRegion = std::uintptr_t{1} << kRegionBits;
  static constexpr std::uintptr_t kDirectoryMask = (std::uintptr_t{1} << (47 - kRegionBits)) - 1;

  Cell& make(std::uintptr_t address);

  Cell** directory_ = nullptr;
  PageVector<Cell*> regions_;
};

}  // namespace heddle::races
