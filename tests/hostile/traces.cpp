// Mutated traces through every command that reads one, in one process built with sanitizers.
//
//   hostile_traces COUNT SEED GOLDEN
//
// Each trace goes through `show`, `show --json`, `chart`, `chart --svg` and `replay`; every fiftieth also through
// `replay` with a program that the user names. The only exit codes are 0, 1 and 2, and no command that a trace names is
// run: the file that such a command would make is not there at the end. A failure leaves the trace in its folder.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "hostile/mutations.hpp"
#include "report/build_id.hpp"
#include "trace/file.hpp"
#include "trace/generated.hpp"

int heddle_main(int count, char** words);

namespace heddle::testing {
namespace {

namespace fs = std::filesystem;

constexpr int kSayings = 3;  // a descriptor for what this program has to say; the standard ones are the commands'
constexpr int kWithProgramEvery = 50;
constexpr const char* kProgram = "/bin/true";

int command(std::vector<std::string> words) {
  words.insert(words.begin(), "heddle");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const int code = heddle_main(static_cast<int>(words.size()), pointers.data());
  std::fflush(nullptr);
  return code;
}

int command_in_child(const std::vector<std::string>& words) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(command(words));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// What a user's own trace, a golden one, and many made ones look like.
std::vector<std::string> originals(const std::string& golden, const std::string& canary) {
  std::ifstream file(golden, std::ios::binary);
  std::vector<std::string> all = {{std::istreambuf_iterator<char>(file), {}}};
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Trace trace = TraceGenerator(seed).trace();
    const bool is_shell = seed % 2 == 0;
    trace.header.program = is_shell ? "/bin/sh" : kProgram;
    trace.header.build_id = report::build_id_of(trace.header.program);
    trace.header.arguments = {"-c", "touch " + canary};
    trace.header.directory = "/tmp";
    trace.header.options = {{"steps_max", "2000"}, {"exits", "0"}, {"points", "racy"}};
    if (seed % 3 != 0) trace.header.options.emplace_back("way", "run");
    if (seed % 5 == 0) trace.header.options.emplace_back("oracle", "touch " + canary);
    all.push_back(sealed_text(trace));
  }
  return all;
}

class Hostile {
 public:
  Hostile(std::uint64_t seed, const std::string& golden)
      : folder_(make_folder()),
        canary_(folder_ / "canary"),
        originals_(originals(golden, canary_)),
        mutations_(seed, originals_, canary_),
        random_(seed ^ 0x7e57) {}

  bool run(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string& original = originals_[random_.below(static_cast<std::uint32_t>(originals_.size()))];
      const std::string text = mutations_.mutated(original);
      if (!check(text, original, i % kWithProgramEvery == 0)) return complain(i);
    }
    fs::remove_all(folder_);
    return true;
  }

 private:
  static fs::path make_folder() {
    std::string pattern = (fs::temp_directory_path() / "heddle-hostile-XXXXXX").string();
    const fs::path folder = mkdtemp(pattern.data());
    setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);  // a key that nobody else has
    return folder;
  }

  bool check(const std::string& text, const std::string& original, bool with_program) {
    const std::string path = folder_ / "a.trace";
    std::ofstream(path, std::ios::binary) << text;
    std::vector<int> codes = {command({"show", path}), command({"show", "--json", path}), command({"chart", path}),
                              command({"chart", "--svg", folder_ / "a.svg", path})};
    const bool is_same = text.substr(0, text.find("\nseal ")) == original.substr(0, original.find("\nseal "));
    if (!is_same) codes.push_back(command({"replay", path}));
    if (with_program) codes.push_back(command_in_child({"replay", path, "--", kProgram}));
    for (const int code : codes) good_ &= code >= 0 && code <= 2;
    return good_ && !fs::exists(canary_);
  }

  bool complain(int number) const {
    dprintf(kSayings, "trace %d: %s; it is in %s\n", number,
            good_ ? "it ran a command" : "an exit code that is not 0, 1 or 2", folder_.c_str());
    return false;
  }

  fs::path folder_;
  std::string canary_;
  std::vector<std::string> originals_;
  Mutations mutations_;
  Random random_;
  bool good_ = true;
};

}  // namespace
}  // namespace heddle::testing

int main(int count, char** words) {
  if (count != 4) return 1;
  dup2(STDERR_FILENO, heddle::testing::kSayings);
  const int nothing = open("/dev/null", O_RDWR);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(nothing, STDERR_FILENO);
  const int traces = std::atoi(words[1]);
  if (!heddle::testing::Hostile(std::strtoull(words[2], nullptr, 10), words[3]).run(traces)) return 1;
  dprintf(heddle::testing::kSayings, "%d traces\n", traces);
  return 0;
}
