// The capabilities of an output.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

struct Terminal {
  bool is_live = false;  // a person is watching: lines may be redrawn
  bool color = false;
  int width = 100;  // columns; the default if unknown
};

/// Checks the descriptor and the environment: TERM, CI, NO_COLOR, COLUMNS.
Terminal terminal_of(int descriptor);

/// Colours, or none. Escapes take no columns, so paint after padding.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}

  std::string bold(std::string_view text) const { return wrapped("1", text); }
  std::string dim(std::string_view text) const { return wrapped("2", text); }
  std::string bad(std::string_view text) const { return wrapped("1;31", text); }
  std::string good(std::string_view text) const { return wrapped("1;32", text); }
  /// Each operation has its own colour.
  std::string operation(unsigned number, std::string_view text) const;

 private:
  std::string wrapped(std::string_view code, std::string_view text) const;

  bool on_;
};

}  // namespace heddle::report
