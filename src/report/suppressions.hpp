// Races that the user does not want reported, in ThreadSanitizer's suppression format.
//
// A file contains lines `kind:pattern`. In a pattern, `*` matches any text; a leading `^` and a trailing `$` anchor it
// to the beginning and end of the name; without them it may match anywhere in the name. A pattern is matched against
// the functions, files and modules in the stacks of a race.
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
    race,             // any frame of either access or of either thread's creation, or the variable
    race_top,         // the innermost frame of either access
    called_from_lib,  // the module of the innermost frame of either access
    unused,           // ThreadSanitizer knows it and heddle has no use for it: refused
  };
  Kind kind = Kind::race;
  std::string pattern;
  std::string text;  // the line as it stands in the file
  std::size_t line = 0;
  std::uint64_t races = 0;  // suppressed by it, each pair of places once
};

class Suppressions {
 public:
  /// Adds the contents of the file. Returns what is wrong with it, with its name and line; empty: nothing. A relative
  /// path is resolved from the working directory or, if there is no such file, from the program's folder.
  std::string read(const std::string& path, const std::string& program = {});
  std::string parse(std::string_view text, const std::string& file);

  bool empty() const { return all_.empty(); }
  /// Is the race of this trace suppressed? If so, it is counted. The places of the trace must have their lines.
  bool suppresses(const Trace& trace);

  /// `suppressed: 2 by race:Queue::push (tsan.supp:4), 1 by race_top:log (tsan.supp:7)`; empty: none was.
  std::string summary() const;
  std::uint64_t races() const;

 private:
  std::vector<Suppression> all_;
  std::string file_;
};

/// The file that TSAN_OPTIONS=suppressions=FILE names; empty: none. `options` may be null.
std::string suppressions_in(const char* options);

}  // namespace heddle::report
