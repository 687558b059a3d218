#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"

namespace heddle::report {
namespace {

using std::string_view;

bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

/// The end of the bracket that opens at `at`, or the end of the text.
std::size_t end_of_bracket(string_view text, std::size_t at, char open, char close) {
  int depth = 0;
  for (std::size_t i = at; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && --depth == 0) return i + 1;
  }
  return text.size();
}

/// The length of `operator<<`, `operator()`, … at the start of the text, without parameters; 0 if it is not an
/// operator.
std::size_t operator_length(string_view text) {
  constexpr string_view kOperator = "operator";
  if (!text.starts_with(kOperator)) return 0;
  std::size_t end = kOperator.size();
  if (text.substr(end).starts_with("()")) return end + 2;
  const std::size_t symbols = end;
  while (end < text.size() && string_view("+-*/%^&|~!=<>,[]").find(text[end]) != string_view::npos) ++end;
  return end == symbols ? 0 : end;
}

std::string without_brackets(string_view function) {
  std::string out;
  constexpr string_view kAnonymous = "(anonymous namespace)";
  for (std::size_t i = 0; i < function.size();) {
    const string_view rest = function.substr(i);
    const std::size_t kept = rest.starts_with(kAnonymous) ? kAnonymous.size() : operator_length(rest);
    if (kept > 0) {
      out += rest.substr(0, kept);
      i += kept;
    } else if (rest[0] == '(') {
      i = end_of_bracket(function, i, '(', ')');
    } else if (rest[0] == '<') {
      i = end_of_bracket(function, i, '<', '>');
    } else {
      out += rest[0];
      ++i;
    }
  }
  return out;
}

void remove_suffix(std::string& text, string_view suffix) {
  if (text.ends_with(suffix)) text.resize(text.size() - suffix.size());
}

void remove_all(std::string& text, string_view part) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.erase(at, part.size());
}

/// Clang names the class of a lambda $_0.
void name_lambdas(std::string& text) {
  for (std::size_t at; (at = text.find("$_")) != std::string::npos;) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at + 2), text.size());
    text.replace(at, end - at, "{lambda}");
  }
}

/// `$'a\033b'`, which bash, zsh and ksh understand. In octal, because no digit that follows can become part of it.
std::string with_escapes(string_view text) {
  std::string quoted = "$'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    if (shown_length({&c, 1}) > 0)
      quoted += c;
    else
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  }
  return quoted + "'";
}

}  // namespace

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string in_short(std::uint64_t number) {
  const auto value = static_cast<double>(number);
  if (number < 1'000'000) return with_commas(number);
  if (number < 1'000'000'000) return fmt::format("{:.1f} million", value / 1e6);
  return fmt::format("{:.1f} billion", value / 1e9);
}

std::string counted(std::uint64_t number, string_view noun) {
  return fmt::format("{} {}{}", with_commas(number), noun, number == 1 ? "" : "s");
}

std::string duration(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole / 60 % 60);
}

std::size_t columns(string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += begins_code_point(c) ? 1 : 0;
  return count;
}

std::string cut(string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  if (width == 0) return {};
  std::size_t end = 0;
  for (std::size_t left = width; end < text.size(); ++end)
    if (begins_code_point(text[end]) && left-- == 1) break;
  return std::string(text.substr(0, end)) + "…";
}

std::string padded(string_view text, std::size_t width) {
  std::string out(text);
  const std::size_t used = columns(text);
  if (used < width) out.append(width - used, ' ');
  return out;
}

std::string wrapped(string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (used > 0 && used + 1 + columns(word) > width) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (used > 0) {
      out += " ";
      ++used;
    }
    out += word;
    used += columns(word);
  }
  return out;
}

std::string short_function(string_view function) {
  std::string text = without_brackets(function.substr(0, function.find(" [clone")));
  name_lambdas(text);
  remove_suffix(text, " const");
  remove_suffix(text, " ");
  if (text.ends_with("}::operator()")) remove_suffix(text, "::operator()");
  remove_all(text, "(anonymous namespace)::");
  const std::size_t name_end = std::min(text.find("operator"), text.size());  // `operator new` contains a blank
  const std::size_t blank = text.rfind(' ', name_end);                        // after the return type
  if (blank != std::string::npos && blank < name_end) text.erase(0, blank + 1);
  return text.empty() ? std::string(function) : text;
}

std::string shell_word(string_view text) {
  constexpr string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == string_view::npos) return std::string(text);
  if (printable(text) != text) return with_escapes(text);
  std::string quoted = "'";
  for (const char c : text) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

}  // namespace heddle::report
