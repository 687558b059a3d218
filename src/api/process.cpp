#include "api/process.hpp"

#include <unistd.h>

#include <fstream>

#include "engine/recorder.hpp"
#include "report/build_id.hpp"

namespace heddle {
namespace {

std::string working_directory() {
  char path[4096];
  return getcwd(path, sizeof path) != nullptr ? path : "";
}

}  // namespace

std::vector<std::string> command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

TraceHeader header_of_process() {
  TraceHeader header;
  header.program = engine::path_of_program();
  std::vector<std::string> words = command_line();
  if (!words.empty()) header.arguments.assign(words.begin() + 1, words.end());
  header.directory = working_directory();
  header.build_id = report::build_id_of(header.program);
  return header;
}

}  // namespace heddle
