#include "cli/target.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

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
  return fs::absolute(word, ignored).string();
}

bool has_interpreter(std::ifstream& file, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + i * header.e_phentsize));
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (file && segment.p_type == PT_INTERP) return true;
  }
  return false;
}

/// Why the runtime cannot come into it; empty if it can.
std::string objection(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return fmt::format("there is no program {}", path);
  if (S_ISDIR(status.st_mode)) return fmt::format("{} is a directory", path);
  if (access(path.c_str(), X_OK) != 0) return fmt::format("{} cannot be run: {}", path, std::strerror(errno));
  if ((status.st_mode & (S_ISUID | S_ISGID)) != 0)
    return fmt::format("{} runs as another user, and the system loads nothing else into such a program", path);
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  const auto* const bytes = reinterpret_cast<const char*>(&header);
  if (file.gcount() >= 2 && bytes[0] == '#' && bytes[1] == '!')
    return fmt::format("{} is a script: give heddle the program that it starts", path);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return fmt::format("{} is no program that this system can load", path);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != EM_X86_64)
    return fmt::format("{} is not for x86-64, the only processor that heddle knows", path);
  if (!has_interpreter(file, header))
    return fmt::format(
        "{} is linked statically: heddle can only be loaded into programs that are linked dynamically "
        "(link it without -static, or call heddle::explore in it)",
        path);
  return {};
}

}  // namespace

Target find_target(const std::string& word) {
  Target target;
  target.path = path_of(word);
  target.error = objection(target.path);
  return target;
}

std::string runtime_library() {
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const fs::path& candidate : {folder / "libheddle_preload.so", folder / "../lib/libheddle_preload.so",
                                    folder / "../lib/x86_64-linux-gnu/libheddle_preload.so"})
    if (fs::exists(candidate, ignored)) return fs::canonical(candidate, ignored).string();
  return {};
}

}  // namespace heddle::cli
