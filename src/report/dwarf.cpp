#include "report/dwarf.hpp"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace heddle::report {
namespace {

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

/// Tries build ids first; a debug link only where the search cannot end in a request to a server.
int find_debug_file(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base, const char* file,
                    const char* link, GElf_Word checksum, char** found) {
  const char* servers = std::getenv("DEBUGINFOD_URLS");
  const bool is_local = servers == nullptr || servers[0] == '\0';
  return (is_local ? dwfl_standard_find_debuginfo : dwfl_build_id_find_debuginfo)(module, data, name, base, file, link,
                                                                                  checksum, found);
}

const Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = find_debug_file,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

std::string plain_path(const char* path) {
  return path == nullptr ? std::string() : std::filesystem::path(path).lexically_normal().string();
}

/// The unit that holds the code at `address`, with the bias of its DWARF. Clang writes no .debug_aranges, so where the
/// index has no answer, every unit is asked.
Dwarf_Die* unit_at(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias)) return unit;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr)
    if (dwarf_haspc(unit, address - bias) == 1) return unit;
  return nullptr;
}

/// Has no code of its own, but may contain functions that do.
bool is_container(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
      return true;
    default:
      return false;
  }
}

std::string linkage_name(Dwarf_Die& function) {
  Dwarf_Attribute attribute;
  for (const unsigned int name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(&function, name, &attribute) == nullptr) continue;
    if (const char* mangled = dwarf_formstring(&attribute)) return demangled(mangled);
  }
  return {};
}

/// The entry that an inlined or out-of-line copy of a function refers to, at the end of the chain: it lies where the
/// function was declared.
Dwarf_Die declaration_of(Dwarf_Die function) {
  Dwarf_Attribute attribute;
  Dwarf_Die next;
  for (int hops = 0; hops < 4; ++hops) {
    Dwarf_Attribute* reference = dwarf_attr(&function, DW_AT_abstract_origin, &attribute);
    if (reference == nullptr) reference = dwarf_attr(&function, DW_AT_specification, &attribute);
    if (reference == nullptr || dwarf_formref_die(reference, &next) == nullptr) break;
    function = next;
  }
  return function;
}

/// `Queue::push`, `main::{lambda}`, from the entries around a function that has no linkage name.
std::string qualified_name(Dwarf_Die& function) {
  const char* own = dwarf_diename(&function);
  std::string name = own == nullptr ? "" : own;
  Dwarf_Die declaration = declaration_of(function);
  Dwarf_Die* found = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &found);
  const std::unique_ptr<Dwarf_Die, Free> scopes(count > 0 ? found : nullptr);
  for (int i = 1; i < count; ++i) {
    const int tag = dwarf_tag(&found[i]);
    const char* around = dwarf_diename(&found[i]);
    const bool is_nameless = around == nullptr || around[0] == '<';
    if (!is_container(tag) && tag != DW_TAG_subprogram) continue;
    if (is_nameless && name == "operator()") name = "{lambda}";  // GCC calls the class <lambda()>
    if (!is_nameless) name = std::string(around) + "::" + name;
  }
  return name;
}

std::string function_name(Dwarf_Die& function) {
  std::string name = linkage_name(function);
  return name.empty() ? qualified_name(function) : name;
}

void set_line_at(Dwarf_Die& unit, Dwarf_Addr pc, Place::Line& line) {
  Dwarf_Line* entry = dwarf_getsrc_die(&unit, pc);
  if (entry == nullptr) return;
  line.file = plain_path(dwarf_linesrc(entry, nullptr, nullptr));
  dwarf_lineno(entry, &line.line);
}

/// The line where an inlined function was called.
void set_call_line(Dwarf_Die& unit, Dwarf_Die& inlined, Place::Line& line) {
  Dwarf_Attribute attribute;
  Dwarf_Word number = 0;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_line, &attribute), &number) == 0)
    line.line = static_cast<int>(number);
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (dwarf_formudata(dwarf_attr(&inlined, DW_AT_call_file, &attribute), &number) == 0 &&
      dwarf_getsrcfiles(&unit, &files, &count) == 0 && number < count)
    line.file = plain_path(dwarf_filesrc(files, number, nullptr, nullptr));
}

bool is_code(int tag) {
  switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
      return true;
    default:
      return false;
  }
}

/// Finds the entries around the code at `pc`, outermost first. This is dwarf_getscopes, which however does not look for
/// functions inside namespaces, where Clang puts them.
class ScopeSearch {
 public:
  enum Depth { kUsual, kInsideOtherFunctions };  // a local class's method may lie in another function
  ScopeSearch(Dwarf_Addr pc, Depth depth) : pc_(pc), depth_(depth) {}

  bool search(Dwarf_Die& parent) {
    Dwarf_Die child;
    for (int status = dwarf_child(&parent, &child); status == 0; status = dwarf_siblingof(&child, &child))
      if (search_entry(child)) return true;
    return false;
  }
  const std::vector<Dwarf_Die>& found() const { return found_; }

 private:
  bool search_entry(Dwarf_Die& entry) {
    const int tag = dwarf_tag(&entry);
    if (is_code(tag) && dwarf_haspc(&entry, pc_) == 1) {
      found_.push_back(entry);
      search(entry);
      return true;
    }
    return (is_container(tag) || (is_code(tag) && depth_ == kInsideOtherFunctions)) && search(entry);
  }

  const Dwarf_Addr pc_;
  const Depth depth_;
  std::vector<Dwarf_Die> found_;
};

/// Innermost first.
std::vector<Dwarf_Die> scopes_at(Dwarf_Die& unit, Dwarf_Addr pc) {
  for (const auto depth : {ScopeSearch::kUsual, ScopeSearch::kInsideOtherFunctions}) {
    ScopeSearch scopes(pc, depth);
    if (scopes.search(unit)) return {scopes.found().rbegin(), scopes.found().rend()};
  }
  return {};
}

std::vector<Place::Line> lines_in_unit(Dwarf_Die& unit, Dwarf_Addr pc) {
  std::vector<Place::Line> lines;
  Place::Line line;
  set_line_at(unit, pc, line);
  for (Dwarf_Die& scope : scopes_at(unit, pc)) {
    const int tag = dwarf_tag(&scope);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
    line.function = function_name(scope);
    lines.push_back(std::move(line));
    line = {};
    if (tag == DW_TAG_subprogram) break;
    set_call_line(unit, scope, line);
  }
  return lines;
}

}  // namespace

std::string demangled(const char* name) {
  if (!std::string_view(name).starts_with("_Z")) return name;  // a variable `x` would become the type `long long`
  int status = 0;
  const std::unique_ptr<char, Free> plain(abi::__cxa_demangle(name, nullptr, nullptr, &status));
  return status == 0 && plain ? plain.get() : name;
}

void DebugInfo::Close::operator()(Dwfl* dwfl) const { dwfl_end(dwfl); }

DebugInfo::DebugInfo(const std::string& path) : dwfl_(dwfl_begin(&kCallbacks)) {
  std::error_code ignored;
  if (!dwfl_ || !std::filesystem::is_regular_file(path, ignored)) return;
  dwfl_report_begin(dwfl_.get());
  module_ = dwfl_report_offline(dwfl_.get(), "", path.c_str(), -1);
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
  GElf_Addr bias = 0;
  if (module_ != nullptr && dwfl_module_getelf(module_, &bias) == nullptr) module_ = nullptr;
  bias_ = bias;
}

std::vector<Place::Line> DebugInfo::lines_at(std::uint64_t return_offset) const {
  if (module_ == nullptr || return_offset == 0) return {};
  const Dwarf_Addr address = return_offset - 1 + bias_;
  Dwarf_Addr bias = 0;
  Place::Line line;
  if (Dwarf_Die* unit = unit_at(module_, address, bias)) {
    std::vector<Place::Line> lines = lines_in_unit(*unit, address - bias);
    if (!lines.empty()) return lines;
    set_line_at(*unit, address - bias, line);  // assembly: lines, but no functions
  }
  line.function = symbol_at(address);
  if (line.function.empty() && line.file.empty()) return {};
  return {std::move(line)};
}

std::string DebugInfo::function_at(std::uint64_t return_offset) const {
  return module_ == nullptr || return_offset == 0 ? std::string() : symbol_at(return_offset - 1 + bias_);
}

std::string DebugInfo::variable_at(std::uint64_t offset) const {
  return module_ == nullptr ? std::string() : symbol_at(offset + bias_);
}

std::string DebugInfo::symbol_at(std::uint64_t address) const {
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* name = dwfl_module_addrinfo(module_, address, &offset, &symbol, nullptr, nullptr, nullptr);
  return name == nullptr ? std::string() : demangled(name);
}

std::string DebugInfo::build_id() const {
  const unsigned char* bytes = nullptr;
  GElf_Addr where_it_lies = 0;
  const int count = module_ == nullptr ? 0 : dwfl_module_build_id(module_, &bytes, &where_it_lies);
  std::string hex;
  for (int i = 0; i < count; ++i) hex += fmt::format("{:02x}", bytes[i]);
  return hex;
}

}  // namespace heddle::report
