#include "cli/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#include "cli/target.hpp"
#include "trace/file.hpp"

namespace heddle::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPatience = std::chrono::seconds(2);
constexpr auto kStandstill = std::chrono::seconds(1);
constexpr auto kPatienceWithKernel = std::chrono::seconds(5);

volatile sig_atomic_t interrupted = 0;

/// Ctrl-C stops the exploration, not this program, for as long as it lives.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = 1; };
    sigaction(SIGINT, &action, &saved_interrupt_);
    sigaction(SIGTERM, &action, &saved_terminate_);
  }
  ~InterruptGuard() {
    sigaction(SIGINT, &saved_interrupt_, nullptr);
    sigaction(SIGTERM, &saved_terminate_, nullptr);
  }
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

 private:
  struct sigaction saved_interrupt_ {};
  struct sigaction saved_terminate_ {};
};

int checked(int result, const char* what) {
  if (result < 0) throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
  return result;
}

int moved_up(int low) {
  const int high = checked(fcntl(low, F_DUPFD, preload::kFirstOwnDescriptor), "fcntl");
  close(low);
  return high;
}

int memory_file(const char* name) { return moved_up(checked(memfd_create(name, 0), "memfd_create")); }

/// What is typed, or stands in a pipe, can be read only once; every execution wants it. Nobody can type for thousands.
void keep_input() {
  struct stat status {};
  if (isatty(STDIN_FILENO) != 0) {
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    close(nothing);
  }
  if (fstat(STDIN_FILENO, &status) != 0 || (!S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode))) return;
  const int kept = memory_file("input");
  std::array<char, 65536> buffer;
  for (ssize_t got; (got = read(STDIN_FILENO, buffer.data(), buffer.size())) > 0;)
    if (write(kept, buffer.data(), static_cast<std::size_t>(got)) != got) break;
  lseek(kept, 0, SEEK_SET);
  dup2(kept, STDIN_FILENO);
  close(kept);
}

std::string read_all(int descriptor) {
  std::string text(static_cast<std::size_t>(lseek(descriptor, 0, SEEK_END)), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t got = pread(descriptor, text.data() + done, text.size() - done, static_cast<off_t>(done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  text.resize(done);
  return text;
}

/// For the time before `main`; the runtime puts back what was there.
void change_variable(const preload::ChangedVariable& variable, const std::string& before, const std::string& after) {
  const char* const found = std::getenv(variable.name);
  const std::string old = found != nullptr ? found : "";
  setenv(variable.saved, found != nullptr ? ("=" + old).c_str() : "", 1);
  setenv(variable.name, (before + (old.empty() || before.empty() ? "" : ":") + old + after).c_str(), 1);
}

/// Every function of another library is looked up before `main`, once, and not again by each copy of the program that
/// calls it. AddressSanitizer insists on being first. It would look for leaks at exit, with all threads stopped: there
/// are none that it knows how to stop.
void change_environment(const std::string& sanitizer, const std::string& library, bool bind_now, int channel) {
  if (bind_now) change_variable(preload::kBindNow, "1", "");
  change_variable(preload::kPreload, sanitizer.empty() ? library : sanitizer + ":" + library, "");
  if (!sanitizer.empty()) change_variable(preload::kSanitizerOptions, "", ":detect_leaks=0");
  setenv(preload::kChannelVariable, std::to_string(channel).c_str(), 1);
}

}  // namespace

Launch::Launch() {
  descriptor_ = memory_file("channel");
  checked(ftruncate(descriptor_, sizeof(preload::Channel)), "ftruncate");
  void* const pages = mmap(nullptr, sizeof(preload::Channel), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (pages == MAP_FAILED) throw std::runtime_error("no memory to be shared with the program");
  channel_ = new (pages) preload::Channel;
  preload::Request& request = channel_->request;
  for (int* file : {&request.output, &request.errors, &request.results, &request.schedule, &request.question})
    *file = memory_file("run");
  for (const int file : {request.output, request.errors, request.results, request.question})
    fcntl(file, F_SETFL, O_APPEND);
}

Launch::~Launch() {
  const preload::Request& request = channel_->request;
  for (const int file :
       {request.output, request.errors, request.results, request.schedule, request.question, request.list, descriptor_})
    if (file >= 0) close(file);
  munmap(channel_, sizeof(preload::Channel));
}

void Launch::set_options(const options::Values& values) { static_cast<options::Values&>(channel_->request) = values; }

std::string Launch::set_places(std::string_view promoted, std::string_view ignored_races) {
  preload::Request& request = channel_->request;
  if (std::max(promoted.size(), ignored_races.size()) >= preload::kPromotedBytes)
    return fmt::format("the places in it are longer than {} characters", preload::kPromotedBytes - 1);
  promoted.copy(request.promoted, promoted.size());
  ignored_races.copy(request.ignored_races, ignored_races.size());
  return {};
}

void Launch::set_replay(const std::vector<Choice>& schedule, bool as_if_fair) {
  channel_->request.replay = true;
  channel_->request.replay_is_fair = as_if_fair;
  const auto* bytes = reinterpret_cast<const char*>(schedule.data());
  const std::size_t size = schedule.size() * sizeof(Choice);
  if (pwrite(channel_->request.schedule, bytes, size, 0) != static_cast<ssize_t>(size))
    throw std::runtime_error("the schedule could not be handed over");
}

std::string Launch::list_to(const std::string& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
  if (file < 0) return fmt::format("cannot write {}: {}", path, std::strerror(errno));
  channel_->request.list = moved_up(file);
  return {};
}

void Launch::answer_with(std::function<bool(Trace&)> answer) {
  channel_->request.suppresses = true;
  answer_ = std::move(answer);
}

void Launch::answer() {
  if (channel_->asked == channel_->answered) return;
  LoadedTrace loaded = parse_trace(read_all(channel_->request.question), "the question");
  if (!loaded.trace) throw std::runtime_error(loaded.error);
  channel_->is_suppressed = answer_(*loaded.trace);
  channel_->answered.fetch_add(1);
  last_move_ = Clock::now();
}

void Launch::start(const std::vector<std::string>& words, const std::string& library, bool bind_now) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  const std::string sanitizer = sanitizer_library(words[0]);
  std::fflush(nullptr);
  process_ = checked(fork(), "fork");
  if (process_ != 0) return;
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  personality(ADDR_NO_RANDOMIZE);
  change_environment(sanitizer, library, bind_now, descriptor_);
  execv(pointers[0], pointers.data());
  std::fprintf(stderr, "heddle: cannot run %s: %s\n", pointers[0], std::strerror(errno));
  _exit(127);
}

/// The exploration has been asked to stop: the execution that runs now may be one without end.
void Launch::stop() {
  const int child = channel_->counts.process;
  if (child <= 0) return;
  channel_->given_up = true;  // so that its end is no verdict
  kill(child, SIGKILL);
}

/// Nothing has ended for a while: whoever runs is poked until something does, and given up if it is in the kernel.
void Launch::look_for_standstill() {
  const std::uint64_t begun = channel_->counts.begun;
  const Clock::time_point now = Clock::now();
  if (begun != last_begun_) {
    last_begun_ = begun;
    last_move_ = now;
  }
  if (begun == 0 || now - last_move_ < kStandstill) return;
  const int child = channel_->counts.process;
  kill(child > 0 ? child : process_, preload::kPoke);
  if (channel_->stuck == given_up_ || now - last_move_ < kPatienceWithKernel) return;
  if (child > 0) {
    given_up_ = channel_->stuck;
    channel_->given_up = true;
    kill(child, SIGKILL);
  } else if (channel_->rewinds) {
    kill(process_, SIGKILL);  // a copy could be given up alone
  }
}

/// Rewinding was only tried, and did not do. Nothing of it counts.
void Launch::begin_anew() {
  preload::Request request = channel_->request;
  request.isolation = preload::IsolationMode::prefix;
  const std::string why = channel_->again ? channel_->chosen_text : "prefix (the program ends or blocks its process)";
  for (const int file : {request.output, request.errors, request.results, request.list})
    if (file >= 0 && ftruncate(file, 0) != 0) throw std::runtime_error("a result could not be taken back");
  lseek(STDIN_FILENO, input_begins_, SEEK_SET);  // if it is a file
  new (channel_) preload::Channel;
  channel_->request = request;
  std::snprintf(channel_->chosen_text, sizeof channel_->chosen_text, "%s", why.c_str());
  last_begun_ = 0;
  given_up_ = 0;
}

void Launch::wait(const std::function<void()>& watch, LaunchResult& result) {
  constexpr int kTickMs = 20;
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
  Clock::time_point asked{};
  for (;;) {
    pollfd ended{handle, POLLIN, 0};
    if (poll(&ended, 1, kTickMs) > 0) break;
    watch();
    answer();
    look_for_standstill();
    if (interrupted == 0) continue;
    if (!result.stopped) {
      result.stopped = true;
      asked = Clock::now();
      channel_->stop = true;
    } else if (Clock::now() - asked > 2 * kPatience) {
      kill(-process_, SIGKILL);
    } else if (Clock::now() - asked > kPatience) {
      stop();
    }
  }
  waitpid(process_, &status_, 0);
  kill(-process_, SIGKILL);  // whatever the program left behind
  close(handle);
}

LaunchResult Launch::run(const std::vector<std::string>& words, const std::function<void()>& watch) {
  LaunchResult result;
  const std::string library = runtime_library();
  if (library.empty()) {
    result.fault = "libheddle_preload.so is not where this program looks for it, beside itself and in ../lib";
    return result;
  }
  keep_input();
  input_begins_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  const InterruptGuard guard;
  start(words, library, true);
  wait(watch, result);
  if (!channel_->runtime_started && !result.stopped) {  // it may lack a function that it never calls
    start(words, library, false);
    wait(watch, result);
  }
  const bool was_in_vain = channel_->rewinds && channel_->ending == preload::Ending::none && !result.stopped;
  if (channel_->again || was_in_vain) {
    begin_anew();
    start(words, library, true);
    wait(watch, result);
  }
  if (!channel_->runtime_started) {
    result.error = fmt::format("{} did not load heddle's runtime: it must be linked dynamically with glibc", words[0]);
  } else if (channel_->ending == preload::Ending::wrong_use) {
    result.error = channel_->text;
  } else if (channel_->ending == preload::Ending::none && !result.stopped) {
    result.fault = WIFSIGNALED(status_)
                       ? fmt::format("the process that explores was killed by signal {}: {}", WTERMSIG(status_),
                                     read_all(channel_->request.errors))
                       : fmt::format("the process that explores ended with exit code {} before `main`: {}",
                                     WEXITSTATUS(status_), read_all(channel_->request.errors));
  } else {
    read_results(result);
  }
  return result;
}

void Launch::read_results(LaunchResult& result) const {
  const std::string text = read_all(channel_->request.results);
  std::size_t at = 0;
  while (at < text.size()) {
    FoundFailure found;
    int confirmed = 0;
    unsigned long long execution = 0;
    std::array<std::size_t, 3> sizes{};
    const std::size_t line = text.find('\n', at);
    if (line == std::string::npos || std::sscanf(text.c_str() + at, preload::kFailureFormat, &confirmed, &execution,
                                                 &sizes[0], &sizes[1], &sizes[2]) != 5)
      throw std::runtime_error("the results of the exploration cannot be read");
    at = line + 1;
    LoadedTrace loaded = parse_trace(std::string_view(text).substr(at, sizes[0]), "the result");
    if (!loaded.trace) throw std::runtime_error(loaded.error);
    found.trace = std::move(*loaded.trace);
    found.confirmed = confirmed != 0;
    found.execution = execution;
    found.output = text.substr(at + sizes[0], sizes[1]);
    found.errors = text.substr(at + sizes[0] + sizes[1], sizes[2]);
    at += sizes[0] + sizes[1] + sizes[2];
    result.failures.push_back(std::move(found));
  }
}

}  // namespace heddle::cli
