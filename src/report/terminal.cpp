#include "report/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace heddle::report {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && value[0] != '\0';
}

bool is_dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term).empty() || std::string_view(term) == "dumb";
}

int width_of(int descriptor, int otherwise) {
  constexpr int kLeast = 40;  // narrower is of no use, and some pseudo terminals report 0
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= kLeast) return size.ws_col;
  const char* columns = std::getenv("COLUMNS");
  const int given = columns != nullptr ? std::atoi(columns) : 0;
  return given >= kLeast ? given : otherwise;
}

}  // namespace

Terminal terminal_of(int descriptor) {
  Terminal terminal;
  const bool shows_escapes = isatty(descriptor) == 1 && !is_dumb();
  terminal.is_live = shows_escapes && !is_set("CI");
  terminal.color = shows_escapes && !is_set("NO_COLOR");
  terminal.width = width_of(descriptor, terminal.width);
  return terminal;
}

std::string Paint::operation(unsigned number, std::string_view text) const {
  constexpr std::array<std::string_view, 5> kCodes = {"37", "36", "33", "35", "32"};
  return wrapped(kCodes[number % kCodes.size()], text);
}

std::string Paint::wrapped(std::string_view code, std::string_view text) const {
  if (!on_ || text.empty()) return std::string(text);
  return std::string("\x1b[").append(code).append("m").append(text).append("\x1b[0m");
}

}  // namespace heddle::report
