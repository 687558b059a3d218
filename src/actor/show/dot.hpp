// Helpers for Graphviz's language.
#pragma once

#include <string>
#include <string_view>

namespace heddle::actor {

/// In double quotes.
inline std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace heddle::actor
