#include "oracle/run_command.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "oracle/child.hpp"

namespace heddle::oracle {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// What stands between `before` and `after`, wherever `before` is found.
std::set<std::string> all_between(const std::string& text, const std::string& before, const std::string& after) {
  std::set<std::string> found;
  for (std::size_t at = text.find(before); at != std::string::npos; at = text.find(before, at + 1)) {
    const std::size_t begin = at + before.size();
    found.insert(text.substr(begin, text.find_first_of(after, begin) - begin));
  }
  return found;
}

[[noreturn]] void become(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

}  // namespace

CommandFindings run_command(const std::vector<std::string>& options, const std::vector<std::string>& program) {
  std::string pattern = (fs::temp_directory_path() / "oracle.XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return {};
  const fs::path folder = pattern;
  std::vector<std::string> words = {HEDDLE_COMMAND_PATH, "run",  "--keep-going", "--exit-codes", "255",
                                    "--trace-dir",       folder, "--json",       folder / "json"};
  words.insert(words.end(), options.begin(), options.end());
  words.emplace_back("--");
  words.insert(words.end(), program.begin(), program.end());
  CommandFindings findings;
  findings.text = in_child(60, [&](const Say&) { become(words); }).text;
  const std::string json = read_file(folder / "json");
  findings.complete = json.find("\"complete\": true") != std::string::npos;
  for (const std::string& verdict : all_between(json, "\"verdict\": \"", "\""))
    if (verdict != "exited") findings.endings.insert(verdict);
  for (const std::string& code : all_between(findings.text, "the program ended with exit code ", " \n"))
    findings.endings.insert("exit " + code);
  fs::remove_all(folder);
  return findings;
}

}  // namespace heddle::oracle
