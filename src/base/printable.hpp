// Text of unknown origin, made safe to show.
//
// A name in a trace, in a program or in a source file may hold anything: escape sequences that move the cursor or set
// the title of a terminal, characters that reverse the order of what follows, bytes that are no UTF-8. Whatever heddle
// prints or draws goes through this file first, and so does every string in a trace file. What is left is UTF-8 that
// shows what it holds; every other byte is written as `\x1b`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heddle {

/// The length of the character that the text begins with; 0 if it must not be shown as it is. Line breaks, tabs and
/// other control characters must not, nor characters that are invisible or change the direction of others, nor bytes
/// that are not UTF-8.
std::size_t shown_length(std::string_view text);

/// One line. Applying it twice changes nothing more.
std::string printable(std::string_view text);

/// The same, but line breaks and tabs stay.
std::string printable_lines(std::string_view text);

/// `\x1b`
void append_hex(std::string& out, char byte);

}  // namespace heddle
