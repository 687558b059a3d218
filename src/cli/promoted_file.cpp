#include "cli/promoted_file.hpp"

#include <cstdio>
#include <fstream>

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
  std::ofstream stream(file);
  stream << report::build_id_of(program) << "\n" << places << "\n";
  if (!stream.flush()) std::fprintf(stderr, "heddle: cannot write %s\n", file.c_str());
}

}  // namespace heddle::cli
