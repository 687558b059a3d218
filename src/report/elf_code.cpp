#include "report/elf_code.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/arch/x86_64/code.hpp"

namespace heddle::report {
using std::string_view;

ElfCode::ElfCode(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file_.assign(std::istreambuf_iterator<char>(file), {});
  Elf64_Ehdr header;
  if (file_.size() < sizeof header) return;
  std::memcpy(&header, file_.data(), sizeof header);
  const bool is_it = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
                     header.e_machine == kElfMachine && header.e_shentsize == sizeof(Elf64_Shdr);
  const std::uint64_t bytes = std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr);
  if (!is_it || header.e_shoff % alignof(Elf64_Shdr) != 0 || header.e_shoff > file_.size() ||
      bytes > file_.size() - header.e_shoff || header.e_shstrndx >= header.e_shnum)
    return;
  sections_ = {reinterpret_cast<const Elf64_Shdr*>(file_.data() + header.e_shoff), header.e_shnum};
  section_names_ = header.e_shstrndx;
  read_sections();
}

template <typename T>
std::span<const T> ElfCode::array(const Elf64_Shdr& section) const {
  const bool is_inside = section.sh_type != SHT_NOBITS && section.sh_offset <= file_.size() &&
                         section.sh_size <= file_.size() - section.sh_offset && section.sh_offset % alignof(T) == 0;
  if (!is_inside) return {};
  return {reinterpret_cast<const T*>(file_.data() + section.sh_offset), section.sh_size / sizeof(T)};
}

string_view ElfCode::text_at(const Elf64_Shdr& strings, std::uint64_t at) const {
  const std::span<const char> all = array<char>(strings);
  if (at >= all.size()) return {};
  const string_view rest(all.data() + at, all.size() - at);
  return rest.substr(0, rest.find('\0'));
}

string_view ElfCode::section_name(const Elf64_Shdr& section) const {
  return text_at(sections_[section_names_], section.sh_name);
}

void ElfCode::read_sections() {
  for (const Elf64_Shdr& section : sections_) {
    if (section.sh_type == SHT_SYMTAB && section.sh_link < sections_.size()) read_functions(section);
    if (section.sh_type == SHT_RELA && section.sh_link < sections_.size()) read_slots(section);
  }
  std::sort(functions_.begin(), functions_.end(), [](const Function& a, const Function& b) {
    return a.address != b.address ? a.address < b.address : a.name < b.name;
  });
  const auto same = [](const Function& a, const Function& b) { return a.address == b.address; };
  functions_.erase(std::unique(functions_.begin(), functions_.end(), same), functions_.end());
}

/// Only functions in .text: what the linker adds lies elsewhere.
void ElfCode::read_functions(const Elf64_Shdr& symbols) {
  has_symbols_ = true;
  for (const Elf64_Sym& symbol : array<Elf64_Sym>(symbols)) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 || symbol.st_shndx >= sections_.size())
      continue;
    if (section_name(sections_[symbol.st_shndx]) == ".text")
      functions_.push_back({text_at(sections_[symbols.sh_link], symbol.st_name), symbol.st_value, symbol.st_size});
  }
}

void ElfCode::read_slots(const Elf64_Shdr& relocations) {
  const Elf64_Shdr& symbols = sections_[relocations.sh_link];
  if (symbols.sh_type != SHT_DYNSYM || symbols.sh_link >= sections_.size()) return;
  const std::span<const Elf64_Sym> all = array<Elf64_Sym>(symbols);
  for (const Elf64_Rela& slot : array<Elf64_Rela>(relocations)) {
    const std::uint64_t type = ELF64_R_TYPE(slot.r_info);
    const std::uint64_t symbol = ELF64_R_SYM(slot.r_info);
    if (is_function_slot(type) && symbol < all.size())
      slots_[slot.r_offset] = text_at(sections_[symbols.sh_link], all[symbol].st_name);
  }
}

std::span<const unsigned char> ElfCode::code_at(std::uint64_t address, std::uint64_t size) const {
  for (const Elf64_Shdr& section : sections_) {
    if ((section.sh_flags & SHF_EXECINSTR) == 0 || address < section.sh_addr) continue;
    const std::uint64_t at = address - section.sh_addr;
    const std::span<const unsigned char> all = array<unsigned char>(section);
    if (at < all.size()) return all.subspan(at, std::min<std::uint64_t>(size, all.size() - at));
  }
  return {};
}

bool ElfCode::is_linkage(std::uint64_t address) const {
  for (const Elf64_Shdr& section : sections_)
    if ((section.sh_flags & SHF_EXECINSTR) != 0 && address >= section.sh_addr &&
        address - section.sh_addr < section.sh_size)
      return section_name(section).starts_with(".plt");
  return false;
}

std::uint64_t ElfCode::slot_of_stub(std::uint64_t address) const {
  const std::int64_t offset = heddle::slot_of_stub(code_at(address, kStubBytesMost));
  return offset == 0 ? 0 : address + static_cast<std::uint64_t>(offset);
}

string_view ElfCode::name_in_slot(std::uint64_t slot) const {
  const auto found = slots_.find(slot);
  return found != slots_.end() ? found->second : string_view();
}

std::vector<ElfCode::Call> ElfCode::calls(const Function& function) const {
  std::vector<Call> found;
  const std::span<const unsigned char> code = code_at(function.address, function.size);
  for (std::size_t i = 0; i < code.size(); ++i) {
    const Branch branch = branch_at(code, i);
    if (branch.bytes == 0) continue;
    const std::uint64_t target = function.address + i + branch.bytes + static_cast<std::uint64_t>(branch.offset);
    if (branch.is_by_slot && slots_.contains(target)) found.push_back({true, name_in_slot(target)});
    if (!branch.is_by_slot && is_linkage(target)) found.push_back({true, name_in_slot(slot_of_stub(target))});
    const auto other = std::lower_bound(functions_.begin(), functions_.end(), target,
                                        [](const Function& a, std::uint64_t address) { return a.address < address; });
    if (branch.is_call && other != functions_.end() && other->address == target) found.push_back({false, {}});
  }
  return found;
}

}  // namespace heddle::report
