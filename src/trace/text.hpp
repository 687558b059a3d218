// Strings on one line of a trace file: what a person can read stays as it is, the rest is escaped.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle {

/// Without line breaks or other control characters, and without a blank at either end that an editor might drop.
std::string escaped(std::string_view text);
/// The same without any blank: one word.
std::string escaped_word(std::string_view text);
/// The inverse of both; nothing if an escape is broken.
std::optional<std::string> unescaped(std::string_view text);

}  // namespace heddle
