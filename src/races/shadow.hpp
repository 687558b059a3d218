// A cell for every eight bytes of the program's memory that is ever accessed.
//
// Two steps lead to it: a directory of regions of 4 MiB, and in each an array of cells, which the kernel provides as
// they are touched.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/page_vector.hpp"
#include "races/epoch.hpp"

namespace heddle::races {

enum class CellState : std::uint8_t {
  simple,     // writes of one operation and, after them, reads of one, none of them atomic
  listed,     // anything: `write.now` is where its list begins, `read.now` a moment of the execution that it belongs to
  allocated,  // the block was allocated at the moment `write.now`, and these bytes of it were not accessed yet
  freed,      // the block was freed at the moment `write.now`
};

/// Plain accesses of one kind by one operation, in its last two moments that matter. A bit of a mask is a byte.
struct Accesses {
  Epoch now = 0;
  Epoch before = 0;        // an earlier moment of the same operation
  std::uint32_t site = 0;  // of the last one

  OperationId by() const { return operation_of(now); }
};

/// The accesses of these eight bytes that matter still.
struct Cell {
  Accesses write;
  Accesses read;
  std::uint8_t write_mask = 0;  // at `now`; all masks are zero unless the cell is simple: nothing is known at a glance
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
  /// What was accessed there is forgotten.
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
