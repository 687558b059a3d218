#include "report/source.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>

namespace heddle::report {
namespace {

constexpr std::uintmax_t kBytesMax = 8u << 20;  // larger files are generated, and nobody reads them

bool is_source(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored) && std::filesystem::file_size(file, ignored) <= kBytesMax;
}

std::string without_tabs(std::string_view line) {
  std::string text;
  for (const char c : line) {
    if (c == '\t') text.append(4, ' ');
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) text += c;  // nothing that a terminal would obey
  }
  return text;
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
