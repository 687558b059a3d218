// Names for places in the program's code that are valid in every run of one build: `module+0x1a2b`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::runtime {

/// Covers the modules that are loaded when it is constructed.
class PlaceNames {
 public:
  PlaceNames();

  /// Empty: not in loaded code.
  std::string of(const void* place) const;
  /// Null: no such place.
  const void* place(std::string_view name) const;

 private:
  struct Module {
    std::string name;  // without folders; empty for the program itself
    std::uintptr_t bias;
    std::uintptr_t low;  // of its code
    std::uintptr_t high;
  };
  std::vector<Module> modules_;
};

/// The code address with these low bits, in the first loaded module that has one; null: none. Allocates nothing.
const void* code_ending_in(std::uint32_t low_bits);

}  // namespace heddle::runtime
