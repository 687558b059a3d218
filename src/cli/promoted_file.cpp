#include "cli/promoted_file.hpp"

#include <fstream>

#include "base/new_file.hpp"
#include "cli/command.hpp"
#include "report/build_id.hpp"

namespace heddle::cli {

std::string read_promoted(const std::string& file, const std::string& program) {
  std::ifstream stream(file);
  std::string build, places;
  const bool is_whole = !file.empty() && std::getline(stream, build) && std::getline(stream, places);
  return is_whole && build == report::build_id_of(program) ? places : "";
}

void write_promoted(const std::string& file, const std::string& program, const std::string& places) {
  if (file.empty() || places.empty()) return;
  if (const int error = write_output(file, report::build_id_of(program) + "\n" + places + "\n"); error != 0)
    fail("cannot write " + file + why_not_written(error));
}

}  // namespace heddle::cli
