// One ELF file on disk, and what its debug information says about its code.
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

  /// The function there, from the symbol table alone: fast, and sufficient for libraries.
  std::string function_at(std::uint64_t return_offset) const;

  /// The variable there, from the symbol table.
  std::string variable_at(std::uint64_t offset) const;

  /// The linker's build id, in hex; empty if there is none.
  std::string build_id() const;

 private:
  std::string symbol_at(std::uint64_t address) const;

  struct Close {
    void operator()(Dwfl* dwfl) const;
  };

  std::unique_ptr<Dwfl, Close> dwfl_;
  Dwfl_Module* module_ = nullptr;  // null: not a readable ELF file
  std::uint64_t bias_ = 0;         // from offsets to the addresses that libdwfl assigned to the module
};

/// As c++filt shows it; a name that is not mangled is returned unchanged.
std::string demangled(const char* name);

}  // namespace heddle::report
