// The functions of an x86-64 ELF file, and which functions of other modules they call.
#pragma once

#include <elf.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

class ElfCode {
 public:
  /// A file of another kind has no functions.
  explicit ElfCode(const std::string& path);

  struct Function {
    std::string_view name;
    std::uint64_t address = 0;
    std::uint64_t size = 0;
  };

  bool has_symbols() const { return has_symbols_; }
  /// By address, each once. A function with several names has one of them.
  const std::vector<Function>& functions() const { return functions_; }

  struct Call {
    bool leaves_module = false;
    std::string_view name = {};  // if the function is in another module; empty: it is in this module, or not known
  };
  /// The functions that a function calls, as far as its bytes show: calls to the linkage table or to the start of a
  /// function.
  std::vector<Call> calls(const Function& function) const;

 private:
  template <typename T>
  std::span<const T> array(const Elf64_Shdr& section) const;
  std::string_view text_at(const Elf64_Shdr& strings, std::uint64_t at) const;
  std::string_view section_name(const Elf64_Shdr& section) const;
  std::span<const unsigned char> code_at(std::uint64_t address, std::uint64_t size) const;
  void read_sections();
  void read_functions(const Elf64_Shdr& symbols);
  void read_slots(const Elf64_Shdr& relocations);
  std::string_view name_in_slot(std::uint64_t slot) const;
  bool is_linkage(std::uint64_t address) const;
  std::uint64_t slot_of_stub(std::uint64_t address) const;

  std::string file_;
  std::span<const Elf64_Shdr> sections_;  // in file_
  std::size_t section_names_ = 0;         // index of the section with their names
  std::vector<Function> functions_;
  std::map<std::uint64_t, std::string_view> slots_;  // of the global offset table, with the symbol loaded there
  bool has_symbols_ = false;
};

}  // namespace heddle::report
