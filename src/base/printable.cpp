#include "base/printable.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace heddle {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Unicode 15, categories Cc, Cf, Zl and Zp, and the code points that XML 1.0 does not allow. Ascending.
constexpr Range kHidden[] = {
    {0x00, 0x1f},        // C0
    {0x7f, 0x9f},        // DEL and C1
    {0xad, 0xad},        // soft hyphen
    {0x61c, 0x61c},      // Arabic letter mark
    {0x180e, 0x180e},    // Mongolian vowel separator
    {0x200b, 0x200f},    // zero width, marks of direction
    {0x2028, 0x202e},    // separators of lines and paragraphs, embeddings and overrides of direction
    {0x2060, 0x206f},    // word joiner, isolates of direction
    {0xfeff, 0xfeff},    // byte order mark
    {0xfff9, 0xfffb},    // interlinear annotation
    {0xfffe, 0xffff},    // no characters
    {0x1d173, 0x1d17a},  // musical formatting
    {0xe0000, 0xe007f},  // tags
};

bool is_hidden(std::uint32_t code) {
  const auto* const range =
      std::find_if(std::begin(kHidden), std::end(kHidden), [code](const Range& r) { return code <= r.last; });
  return range != std::end(kHidden) && code >= range->first;
}

std::uint32_t byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

/// The length that the first byte promises; 0 if it begins no character.
std::size_t promised_length(std::uint32_t first) {
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return 2;
  if (first >= 0xe0 && first <= 0xef) return 3;
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0;
}

/// Rejects what has a shorter form, surrogates, and what is beyond Unicode.
bool is_proper(std::uint32_t code, std::size_t length) {
  constexpr std::uint32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  return code >= kLeast[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

std::string shown(std::string_view text, std::string_view also_kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = also_kept.find(text[0]) != std::string_view::npos ? 1 : shown_length(text);
    if (length > 0)
      out += text.substr(0, length);
    else if (text[0] == '\n')
      out += "\\n";
    else
      append_hex(out, text[0]);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

}  // namespace

std::size_t shown_length(std::string_view text) {
  if (text.empty()) return 0;
  const std::uint32_t first = byte_at(text, 0);
  if (first >= 0x20 && first < 0x7f) return 1;
  const std::size_t length = promised_length(first);
  if (length < 2 || length > text.size()) return 0;
  std::uint32_t code = first & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte_at(text, i) & 0x3f);
  }
  return is_proper(code, length) && !is_hidden(code) ? length : 0;
}

std::string printable(std::string_view text) { return shown(text, {}); }

std::string printable_lines(std::string_view text) { return shown(text, "\n\t"); }

void append_hex(std::string& out, char byte) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<unsigned char>(byte);
  out += "\\x";
  out += kDigits[value >> 4];
  out += kDigits[value & 15];
}

}  // namespace heddle
