// What the kernel keeps for a process and heddle does not put back: directory, file mode mask, limits, mappings.
//
// A program that changes any of it is not rewound. To look takes a tenth of a millisecond.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::preload {

struct KernelState {
  std::string directory;
  long mask = 0;
  long program_break = 0;
  std::size_t mappings = 0;
  long pages = 0;  // of all of them; of neighbours that became one, too
  std::array<unsigned long, 32> limits{};

  static KernelState now();
  /// What became of it, after so many executions, for a person; empty if it is the same. Heddle maps memory as well,
  /// but not in every execution.
  std::string change_since(const KernelState& before, std::uint64_t executions) const;
};

/// Has anything of the program's mapped memory that it can write to, before `main`? That is in no image.
bool has_mapped_before_main();
/// `main` is about to begin.
void end_of_start();

}  // namespace heddle::preload
