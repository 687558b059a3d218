// Places in the program's code by names that hold in every run of one build: `module+0x1a2b`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::runtime {

/// Of the modules that are loaded when it is made.
class PlaceNames {
 public:
  PlaceNames();

  /// Empty: in code that is not loaded.
  std::string of(const void* place) const;
  /// Null: there is no such place.
  const void* place(std::string_view name) const;

 private:
  struct Module {
    std::string name;  // without its folders; of the program itself: empty
    std::uintptr_t bias;
    std::uintptr_t low;  // of its code
    std::uintptr_t high;
  };
  std::vector<Module> modules_;
};

/// The address of code of which these are the low bits: of the first loaded module that has one; null: none has.
/// Allocates nothing.
const void* code_ending_in(std::uint32_t low_bits);

}  // namespace heddle::runtime
