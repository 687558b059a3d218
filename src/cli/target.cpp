#include "cli/target.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arch/x86_64/code.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

std::string path_of(const std::string& word) {
  std::error_code ignored;
  if (word.find('/') != std::string::npos) return fs::absolute(word, ignored).lexically_normal().string();
  const char* const variable = std::getenv("PATH");
  std::istringstream folders(variable != nullptr ? variable : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / word;
    if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0)
      return fs::absolute(candidate, ignored).string();
  }
  return word;
}

template <typename T>
bool read_at(std::ifstream& file, std::uint64_t offset, T& into) {
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(file.read(reinterpret_cast<char*>(&into), sizeof into));
}

std::vector<Elf64_Phdr> segments_of(std::ifstream& file, const Elf64_Ehdr& header) {
  std::vector<Elf64_Phdr> segments;
  Elf64_Phdr segment{};
  for (unsigned i = 0; i < header.e_phnum; ++i)
    if (read_at(file, header.e_phoff + i * header.e_phentsize, segment)) segments.push_back(segment);
  return segments;
}

bool has_interpreter(std::ifstream& file, const Elf64_Ehdr& header) {
  const auto segments = segments_of(file, header);
  return std::any_of(segments.begin(), segments.end(), [](const auto& segment) { return segment.p_type == PT_INTERP; });
}

/// Is there a note by this owner? Compilers and linkers leave them.
bool has_note_by(std::ifstream& file, const Elf64_Ehdr& header, std::string_view owner) {
  const auto padded = [](std::uint64_t bytes) { return (bytes + 3) & ~std::uint64_t{3}; };
  for (const Elf64_Phdr& segment : segments_of(file, header)) {
    if (segment.p_type != PT_NOTE) continue;
    Elf64_Nhdr note{};
    const std::uint64_t end = segment.p_offset + segment.p_filesz;
    for (std::uint64_t at = segment.p_offset; at < end && read_at(file, at, note);
         at += sizeof note + padded(note.n_namesz) + padded(note.n_descsz)) {
      std::string name;
      if (std::getline(file, name, '\0') && name == owner) return true;
      file.clear();
    }
  }
  return false;
}

/// The file offset of what will be loaded at this address; 0 if the file does not contain it.
std::uint64_t offset_of(const std::vector<Elf64_Phdr>& segments, std::uint64_t address) {
  for (const Elf64_Phdr& segment : segments)
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  return 0;
}

/// The names of the libraries that the program needs.
std::vector<std::string> needed_libraries(std::ifstream& file, const Elf64_Ehdr& header) {
  const std::vector<Elf64_Phdr> segments = segments_of(file, header);
  std::vector<std::uint64_t> positions;
  std::uint64_t names = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    Elf64_Dyn entry{};
    for (std::uint64_t at = 0; at < segment.p_filesz && read_at(file, segment.p_offset + at, entry);
         at += sizeof entry) {
      if (entry.d_tag == DT_NEEDED) positions.push_back(entry.d_un.d_val);
      if (entry.d_tag == DT_STRTAB) names = offset_of(segments, entry.d_un.d_ptr);
    }
  }
  std::vector<std::string> libraries;
  for (const std::uint64_t position : positions) {
    std::string name;
    file.seekg(static_cast<std::streamoff>(names + position));
    if (names != 0 && std::getline(file, name, '\0')) libraries.push_back(name);
  }
  return libraries;
}

/// The names that the program exports or imports, each followed by a zero.
std::string dynamic_names(std::ifstream& file, const Elf64_Ehdr& header) {
  constexpr std::uint64_t kMost = 64u << 20;
  const std::vector<Elf64_Phdr> segments = segments_of(file, header);
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    Elf64_Dyn entry{};
    for (std::uint64_t at = 0; at < segment.p_filesz && read_at(file, segment.p_offset + at, entry);
         at += sizeof entry) {
      if (entry.d_tag == DT_STRTAB) begin = offset_of(segments, entry.d_un.d_ptr);
      if (entry.d_tag == DT_STRSZ) size = std::min<std::uint64_t>(entry.d_un.d_val, kMost);
    }
  }
  std::string names(begin != 0 ? size : 0, '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(begin));
  file.read(names.data(), static_cast<std::streamsize>(names.size()));
  return names;
}

/// The sanitizer that the program contains and heddle cannot run with, by a function of its runtime; empty: none.
std::string_view unsuitable_sanitizer(const std::string& names) {
  constexpr std::pair<std::string_view, std::string_view> kKnown[] = {
      {"__tsan_java_init", "ThreadSanitizer, which switches threads itself"},
      {"__msan_init", "MemorySanitizer, which does not know what heddle does to memory"}};
  for (const auto& [function, words] : kKnown)
    if (names.find('\0' + std::string(function) + '\0') != std::string::npos) return words;
  return {};
}

/// Why the runtime cannot be loaded into it; empty if it can.
std::string objection(const std::string& path) {
  struct stat status {};
  if (path.find('/') == std::string::npos)
    return fmt::format("there is no program {} in PATH (to run one in this folder, type ./{})", path, path);
  if (stat(path.c_str(), &status) != 0) return fmt::format("there is no program {}", path);
  if (S_ISDIR(status.st_mode)) return fmt::format("{} is a directory, not a program", path);
  if (access(path.c_str(), X_OK) != 0) return fmt::format("{} cannot be run: {}", path, std::strerror(errno));
  if ((status.st_mode & (S_ISUID | S_ISGID)) != 0)
    return fmt::format(
        "{} runs as another user (set-uid or set-gid), and the system loads nothing else into such a program", path);
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  const auto* const bytes = reinterpret_cast<const char*>(&header);
  if (file.gcount() >= 2 && bytes[0] == '#' && bytes[1] == '!')
    return fmt::format("{} is a script: give heddle the program that it starts", path);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return fmt::format("{} is not an executable this system can load", path);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kElfMachine)
    return fmt::format("{} is not for x86-64, the only processor that heddle supports", path);
  if (has_note_by(file, header, "Go"))
    return fmt::format(
        "{} is a Go program: Go's runtime switches goroutines itself, on stacks of its own, and heddle cannot take "
        "that "
        "over",
        path);
  if (!has_interpreter(file, header))
    return fmt::format(
        "{} is linked statically: heddle can only be loaded into programs that are linked dynamically "
        "(link it without -static, or call heddle::explore in it)",
        path);
  std::string_view sanitizer = unsuitable_sanitizer(dynamic_names(file, header));
  for (const std::string& library : needed_libraries(file, header))
    if (library.rfind("libtsan.so", 0) == 0) sanitizer = "ThreadSanitizer, which switches threads itself";
  if (!sanitizer.empty())
    return fmt::format("{} is built with {}: build it without, or with `heddle c++`", path, sanitizer);
  return {};
}

}  // namespace

Target find_target(const std::string& word) {
  Target target;
  target.path = path_of(word);
  target.error = objection(target.path);
  return target;
}

std::string sanitizer_library(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  if (!read_at(file, 0, header)) return {};
  for (const std::string& library : needed_libraries(file, header))
    if (library.rfind("libasan.so", 0) == 0 || library.rfind("libclang_rt.asan", 0) == 0) return library;
  return {};
}

std::string own_library(const std::string& name) {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const char* place : {".", "../lib", "../lib/x86_64-linux-gnu"})
    if (const fs::path candidate = folder / place / name; fs::exists(candidate, ignored))
      return fs::canonical(candidate, ignored).string();
  return {};
}

std::string runtime_library() { return own_library("libheddle_preload.so"); }

}  // namespace heddle::cli
