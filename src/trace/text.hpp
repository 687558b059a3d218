// Strings on one line of a trace file. Readable characters stay as they are; the others are escaped.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heddle {

/// The result can be shown as it is (base/printable.hpp), and has no blank at either end that an editor might drop.
std::string escaped(std::string_view text);
/// The same, but without any blank: one word.
std::string escaped_word(std::string_view text);
/// The inverse of both; nothing if an escape is broken.
std::optional<std::string> unescaped(std::string_view text);

}  // namespace heddle
