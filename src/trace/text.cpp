#include "trace/text.hpp"

namespace heddle {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

void append_hex(std::string& out, char c) {
  const auto byte = static_cast<unsigned char>(c);
  out += "\\x";
  out += kHexDigits[byte >> 4];
  out += kHexDigits[byte & 15];
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

void append_escaped(std::string& out, char c, bool blank_is_kept) {
  if (c == '\\') {
    out += "\\\\";
  } else if (c == '\n') {
    out += "\\n";
  } else if (is_control(c) || (c == ' ' && !blank_is_kept)) {
    append_hex(out, c);
  } else {
    out += c;
  }
}

/// Reads the two digits at `at`; -1 if they are not there.
int hex_byte(std::string_view text, std::size_t at) {
  if (at + 2 > text.size()) return -1;
  const std::size_t high = kHexDigits.find(text[at]);
  const std::size_t low = kHexDigits.find(text[at + 1]);
  if (high == std::string_view::npos || low == std::string_view::npos) return -1;
  return static_cast<int>(high * 16 + low);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) append_escaped(out, text[i], i != 0 && i + 1 != text.size());
  return out;
}

std::string escaped_word(std::string_view text) {
  std::string out;
  for (const char c : text) append_escaped(out, c, false);
  return out;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    if (text[i] == '\\') {
      out += '\\';
    } else if (text[i] == 'n') {
      out += '\n';
    } else if (const int byte = hex_byte(text, i + 1); text[i] == 'x' && byte >= 0) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace heddle
