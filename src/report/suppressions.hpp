// Races that the user does not want to hear of, in the words in which ThreadSanitizer takes them.
//
// A file of lines `kind:pattern`. In a pattern `*` is any text, `^` at its beginning and `$` at its end are those of
// the name; without them it may be anywhere in it. It is held against functions, files and modules of a race's stacks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.hpp"

namespace heddle::report {

bool matches_pattern(std::string_view pattern, std::string_view text);

struct Suppression {
  enum class Kind : std::uint8_t {
    race,             // any frame of either access, or of the creation of either thread, or the variable
    race_top,         // the innermost frame of either access
    called_from_lib,  // the module of the innermost frame of either access
    unused,           // of something that heddle does not report
  };
  Kind kind = Kind::race;
  std::string pattern;
  std::string text;  // the line as it stands in the file
  std::size_t line = 0;
  std::uint64_t races = 0;  // that it has suppressed, each pair of places once
};

class Suppressions {
 public:
  /// Adds what the file says. Returns what is wrong with it, with its name and line; empty: nothing. A relative path is
  /// meant from here, or, if there is no such file, from where the program is.
  std::string read(const std::string& path, const std::string& program = {});
  std::string parse(std::string_view text, const std::string& file);

  bool empty() const { return all_.empty(); }
  /// Is the race of this trace, whose places have their lines, suppressed? Then it is counted.
  bool suppresses(const Trace& trace);

  /// `suppressed: 2 by race:Queue::push (tsan.supp:4), 1 by race_top:log (tsan.supp:7)`; empty: none was.
  std::string summary() const;
  std::uint64_t races() const;
  /// What is to be said of lines that mean nothing to heddle; empty: there are none.
  std::string remark() const;

 private:
  std::vector<Suppression> all_;
  std::string file_;
};

/// The file that TSAN_OPTIONS=suppressions=FILE names; empty: none. `options` may be null.
std::string suppressions_in(const char* options);

}  // namespace heddle::report
