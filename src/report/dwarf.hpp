// One ELF file on disk, and what its debug information says of its code.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "trace/trace.hpp"

struct Dwfl;
struct Dwfl_Module;

namespace heddle::report {

class DebugInfo {
 public:
  explicit DebugInfo(const std::string& path);

  /// The functions at the instruction before `return_offset`, innermost first. Offsets are those of the program
  /// headers: address minus load bias. Empty if nothing is known.
  std::vector<Place::Line> lines_at(std::uint64_t return_offset) const;

  /// The function there by the symbol table alone: quick, and all that one needs of a library.
  std::string function_at(std::uint64_t return_offset) const;

  /// The variable there, by the symbol table.
  std::string variable_at(std::uint64_t offset) const;

  /// The linker's, in hex; empty if it has none.
  std::string build_id() const;

 private:
  std::string symbol_at(std::uint64_t address) const;

  struct Close {
    void operator()(Dwfl* dwfl) const;
  };

  std::unique_ptr<Dwfl, Close> dwfl_;
  Dwfl_Module* module_ = nullptr;  // null: not an ELF file that can be read
  std::uint64_t bias_ = 0;         // from offsets to the addresses that libdwfl gave the module
};

/// As c++filt shows it; what is not mangled stays as it is.
std::string demangled(const char* name);

}  // namespace heddle::report
