// Formats numbers, times and names for people, and fits text into a number of columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::report {

/// 41,217
std::string with_commas(std::uint64_t number);
/// 41,217 up to a million; then 3.2 million, 4.1 billion.
std::string in_short(std::uint64_t number);
/// `1 step`, `12 steps`
std::string counted(std::uint64_t number, std::string_view noun);
/// 0.4 s, 12 s, 2 min 5 s, 1 h 3 min
std::string duration(double seconds);

/// The columns that the text takes on a terminal, if every code point takes one.
std::size_t columns(std::string_view text);
/// Cut to `width` columns, the last of which is an ellipsis.
std::string cut(std::string_view text, std::size_t width);
/// Padded with blanks to `width` columns; a longer text is unchanged.
std::string padded(std::string_view text, std::size_t width);

/// Broken between words into lines of at most `width` columns, unless a word is longer; all but the first are indented.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// A demangled name without parameters, template arguments and return type: `Queue::push`, `main::{lambda#1}`.
std::string short_function(std::string_view function);

/// As one word of a shell command line, quoted where necessary.
std::string shell_word(std::string_view text);

}  // namespace heddle::report
