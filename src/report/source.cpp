#include "report/source.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>

#include "base/printable.hpp"

namespace heddle::report {
namespace {

constexpr std::uintmax_t kBytesMax = 8u << 20;  // larger files are generated and not worth reading

// A trace may name any file of this machine, and its report may be sent to others: only source code is shown.
constexpr std::array<std::string_view, 22> kExtensions = {".c",   ".cc",  ".cpp", ".cxx", ".c++", ".C",   ".h", ".hh",
                                                          ".hpp", ".hxx", ".h++", ".H",   ".inc", ".inl", ".i", ".ii",
                                                          ".ipp", ".tcc", ".tpp", ".rs",  ".S",   ".s"};

bool is_source(const std::string& file) {
  std::error_code ignored;
  const std::string extension = std::filesystem::path(file).extension().string();
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end() &&
         std::filesystem::is_regular_file(file, ignored) && std::filesystem::file_size(file, ignored) <= kBytesMax;
}

std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t')
      text.append(4, ' ');
    else if (c != '\r')
      text += c;
  }
  return printable(text);
}

}  // namespace

std::string SourceText::raw_line(const std::string& file, int number) {
  const std::vector<std::string>& all = lines(file);
  if (number < 1 || static_cast<std::size_t>(number) > all.size()) return {};
  return all[static_cast<std::size_t>(number) - 1];
}

std::string SourceText::line(const std::string& file, int number) {
  const std::string text = raw_line(file, number);
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

const std::vector<std::string>& SourceText::lines(const std::string& file) {
  const auto [entry, is_new] = files_.try_emplace(file);
  if (!is_new || !is_source(file)) return entry->second;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) entry->second.push_back(without_tabs(line));
  return entry->second;
}

}  // namespace heddle::report
