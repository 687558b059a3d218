// Lines of the program's source files, if they can be read.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

class SourceText {
 public:
  /// Without surrounding blanks; empty if there is no such file or line.
  std::string line(const std::string& file, int number);
  /// With its indentation, tabs as blanks.
  std::string raw_line(const std::string& file, int number);

 private:
  const std::vector<std::string>& lines(const std::string& file);

  std::map<std::string, std::vector<std::string>> files_;  // empty: cannot be read
};

}  // namespace heddle::report
