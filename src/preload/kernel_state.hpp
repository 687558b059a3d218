// State that the kernel keeps for a process and that heddle does not restore: working directory, file mode mask,
// limits, mappings, user and groups.
//
// A program that changes any of it is not rewound. Checking takes a tenth of a millisecond.
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
  long pages = 0;  // of all mappings, also of adjacent ones that were merged
  std::array<unsigned long, 32> limits{};
  std::array<std::uint32_t, 7> users{};

  static KernelState now();
  /// Describes for the user what changed over that many executions; empty if nothing did. Heddle maps memory too, but
  /// not in every execution.
  std::string change_since(const KernelState& before, std::uint64_t executions) const;
};

/// Did the program map writable memory before `main`? No memory image covers that.
bool has_mapped_before_main();
/// Called just before `main`.
void end_of_start();

}  // namespace heddle::preload
