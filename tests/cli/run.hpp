// Runs the program `heddle` that was built beside the tests.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace heddle::testing {

struct Outcome {
  int code = -1;       // -1: ended by a signal
  std::string output;  // both streams
};

/// `line` is one of a shell.
inline Outcome run_shell(const std::string& line, const std::string& directory = ".") {
  std::FILE* pipe = popen(("exec 2>&1; cd '" + directory + "' && " + line).c_str(), "r");
  Outcome outcome;
  std::array<char, 4096> buffer;
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), got);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  return outcome;
}

/// `arguments` are words of a shell.
inline Outcome run_heddle(const std::string& arguments, const std::string& directory = ".") {
  return run_shell("'" HEDDLE_COMMAND_PATH "' " + arguments, directory);
}

/// A folder that is gone after the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-cli-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string operator/(const std::string& name) const { return path_ / name; }
  std::string path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace heddle::testing
