#include "trace/text.hpp"

#include "base/printable.hpp"

namespace heddle {
namespace {

/// The first character of the text; returns its length.
std::size_t append_escaped(std::string& out, std::string_view text, bool blank_is_kept) {
  const std::size_t length = shown_length(text);
  if (text[0] == '\\') {
    out += "\\\\";
  } else if (text[0] == '\n') {
    out += "\\n";
  } else if (length == 0 || (text[0] == ' ' && !blank_is_kept)) {
    append_hex(out, text[0]);
  } else {
    out += text.substr(0, length);
    return length;
  }
  return 1;
}

/// Reads the two digits at `at`; -1 if they are not there.
int hex_byte(std::string_view text, std::size_t at) {
  constexpr std::string_view kHexDigits = "0123456789abcdef";
  if (at + 2 > text.size()) return -1;
  const std::size_t high = kHexDigits.find(text[at]);
  const std::size_t low = kHexDigits.find(text[at + 1]);
  if (high == std::string_view::npos || low == std::string_view::npos) return -1;
  return static_cast<int>(high * 16 + low);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) i += append_escaped(out, text.substr(i), i != 0 && i + 1 != text.size());
  return out;
}

std::string escaped_word(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) i += append_escaped(out, text.substr(i), false);
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
