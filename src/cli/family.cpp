#include "cli/family.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>

namespace heddle::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kBetweenLooks = std::chrono::milliseconds(1);
constexpr auto kUntilKilledIsGone = std::chrono::seconds(20);  // on a machine that is busy or short of memory

/// Empty if the process is gone. A stream would throw if it goes while it is read.
std::string contents(const std::string& path) {
  std::string text;
  std::array<char, 4096> buffer;
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  for (ssize_t got; (got = read(file, buffer.data(), buffer.size())) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  if (file >= 0) close(file);
  return text;
}

/// The parent of a process; 0 if it is gone. The name before it may hold anything, so fields count from its last
/// bracket.
int parent_of(int process) {
  const std::string text = contents(fmt::format("/proc/{}/stat", process));
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(text.substr(name_end + 1));
  char state = 0;
  int parent = 0;
  fields >> state >> parent;
  return parent;
}

int number_of(const std::string& name) {
  int number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : 0;
}

std::multimap<int, int> all_by_parent() {
  std::multimap<int, int> all;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error))
    if (const int process = number_of(entry->path().filename().string()); process > 0)
      all.emplace(parent_of(process), process);
  return all;
}

bool has_children() {
  siginfo_t unused{};
  return waitid(P_ALL, 0, &unused, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/// The value of a line `Name:\tvalue` of /proc/<process>/status.
std::string status_of(int process, std::string_view name) {
  std::istringstream lines(contents(fmt::format("/proc/{}/status", process)));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name) && line.size() > name.size() + 2 && line[name.size()] == ':')
      return line.substr(name.size() + 2);
  return {};
}

/// Asks the kernel to end every descendant. True: one of them has been told and is not gone yet.
bool kill_descendants() {
  bool is_one_dying = false;
  for (const int process : descendants())
    is_one_dying |= kill(process, SIGKILL) == 0 && status_of(process, "State")[0] != 'Z';
  return is_one_dying;
}

/// A process that is stopped starts no other one, and keeps the place that it takes up within the limit of processes.
void stop_descendants(Clock::time_point until) {
  std::set<int> stopped;
  for (bool found_new = true; found_new && Clock::now() < until;) {
    found_new = false;
    for (const int process : descendants())
      if (stopped.insert(process).second) {
        kill(process, SIGSTOP);
        found_new = true;
      }
  }
}

bool has_signal(const std::string& mask, int signal) {
  std::uint64_t bits = 0;
  std::from_chars(mask.data(), mask.data() + mask.size(), bits, 16);
  return ((bits >> (signal - 1)) & 1) != 0;
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }

std::vector<int> descendants() {
  const std::multimap<int, int> all = all_by_parent();
  std::vector<int> found = {getpid()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = all.equal_range(found[i]);
    std::transform(begin, end, std::back_inserter(found), [](const auto& entry) { return entry.second; });
  }
  found.erase(found.begin());
  return found;
}

bool descends_from(int process, int ancestor) {
  while (process > 1 && process != ancestor) process = parent_of(process);
  return process == ancestor;
}

bool reap(int awaited, int& status) {
  bool has_come = false;
  int one = 0;
  for (int process; (process = waitpid(-1, &one, WNOHANG | __WALL)) > 0;) {
    if (process != awaited) continue;
    status = one;
    has_come = true;
  }
  return has_come;
}

// A process that has been killed goes as soon as the machine lets it, so it is waited for much longer than one that
// cannot be killed.
bool end_descendants(std::chrono::milliseconds patience) {
  const Clock::time_point began = Clock::now();
  const Clock::time_point until = began + patience;
  int unused = 0;
  reap(0, unused);
  if (!has_children()) return true;
  stop_descendants(until);
  for (bool is_one_dying = true; Clock::now() < (is_one_dying ? began + kUntilKilledIsGone : until);) {
    is_one_dying = kill_descendants();
    reap(0, unused);
    if (!has_children()) return true;
    std::this_thread::sleep_for(kBetweenLooks);
  }
  return false;
}

std::string what_it_does(int process) {
  const std::string state = status_of(process, "State");
  if (state.empty()) return {};
  if (state[0] == 'T' || state[0] == 't') return "it is stopped, and nothing continues it";
  if (state[0] == 'Z' || state[0] == 'X') return "its first thread has ended without the process";
  if (state[0] == 'R') return "it computes";
  const std::string where = contents(fmt::format("/proc/{}/wchan", process));
  return where.empty() || where == "0" ? "it waits in the kernel" : fmt::format("it waits in the kernel ({})", where);
}

bool cannot_move(int process) {
  const std::string state = status_of(process, "State");
  return !state.empty() && (state[0] == 'T' || state[0] == 'Z' || state[0] == 'X');
}

bool takes_signal(int process, int signal) {
  return has_signal(status_of(process, "SigCgt"), signal) && !has_signal(status_of(process, "SigBlk"), signal);
}

}  // namespace heddle::cli
