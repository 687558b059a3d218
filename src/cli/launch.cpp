#include "cli/launch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
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

#include "base/new_file.hpp"
#include "base/own_descriptors.hpp"
#include "cli/family.hpp"
#include "cli/guardian.hpp"
#include "cli/kept_input.hpp"
#include "cli/machine_limit.hpp"
#include "cli/target.hpp"
#include "options/budget.hpp"
#include "trace/file.hpp"

namespace heddle::cli {
namespace {

using std::chrono::milliseconds;

constexpr int kTickMs = 20;
// After the exploration was asked to stop: when the current execution is ended, and when everything is. All of it and
// the report fit into the five seconds that `--time` promises. A user who asks waits for less, and not at all if he
// asks twice.
constexpr milliseconds kUntilExecutionEnds{2000};
constexpr milliseconds kUntilAllEnds{3000};
constexpr milliseconds kUntilExecutionEndsForUser{700};
constexpr milliseconds kUntilAllEndsForUser{1500};
constexpr double kSlow = 0.1;          // seconds without a step, before which it is not worth a look
constexpr double kWorthAnother = 0.1;  // seconds that are left for another isolation

volatile sig_atomic_t interrupted = 0;  // how often

/// While this object lives, Ctrl-C stops the exploration and not this program.
class InterruptGuard {
 public:
  InterruptGuard() {
    interrupted = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = interrupted + 1; };
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

int moved_up(int low) {
  const int high = own_descriptors.move(low, false);
  if (high < 0) errno = -high;
  return granted(high < 0 ? -1 : high, Scarce::descriptor);
}

int memory_file(const char* name) {
  return moved_up(granted(memfd_create(name, MFD_ALLOW_SEALING), Scarce::descriptor));
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

/// Only for the time before `main`; the runtime restores the old value.
void change_variable(const preload::ChangedVariable& variable, const std::string& before, const std::string& after) {
  const char* const found = std::getenv(variable.name);
  const std::string old = found != nullptr ? found : "";
  setenv(variable.saved, found != nullptr ? ("=" + old).c_str() : "", 1);
  setenv(variable.name, (before + (old.empty() || before.empty() ? "" : ":") + old + after).c_str(), 1);
}

/// Functions of other libraries are all looked up once, before `main`, and not again in each copy of the program that
/// calls them. AddressSanitizer insists on being loaded first. At exit it would check for leaks with all threads
/// stopped, but there are no threads that it knows how to stop. libgomp spins before it waits, for milliseconds and in
/// vain: no other thread runs meanwhile.
void change_environment(const std::string& sanitizer, const std::string& library, bool bind_now, int channel) {
  if (bind_now) change_variable(preload::kBindNow, "1", "");
  change_variable(preload::kPreload, sanitizer.empty() ? library : sanitizer + ":" + library, "");
  if (std::getenv(preload::kSpinCount.name) == nullptr) change_variable(preload::kSpinCount, "0", "");
  if (!sanitizer.empty()) change_variable(preload::kSanitizerOptions, "", ":detect_leaks=0");
  setenv(preload::kChannelVariable, std::to_string(channel).c_str(), 1);
}

}  // namespace

Launch::Launch() {
  own_descriptors.choose();
  descriptor_ = memory_file("channel");
  granted(ftruncate(descriptor_, sizeof(preload::Channel)), Scarce::file);
  fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  void* const pages = mmap(nullptr, sizeof(preload::Channel), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  granted(pages == MAP_FAILED ? -1 : 0, Scarce::memory);
  channel_ = new (pages) preload::Channel;
  preload::Request& request = channel_->request;
  request.first_descriptor = own_descriptors.first();
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
  if (pwrite(channel_->request.schedule, bytes, size, 0) != static_cast<ssize_t>(size)) granted(-1, Scarce::file);
  fcntl(channel_->request.schedule, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW);
}

std::string Launch::list_to(const std::string& path) {
  const int file = open_output(path);
  if (file < 0) {
    std::string wrong = fmt::format("cannot write {}: {}", path, std::strerror(-file));
    if (is_of_machine(-file)) throw MachineLimit(wrong + ".");
    return wrong;
  }
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
}

void Launch::become(const std::vector<std::string>& words, const std::string& sanitizer, const std::string& library,
                    bool bind_now) const {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  personality(ADDR_NO_RANDOMIZE);
  change_environment(sanitizer, library, bind_now, descriptor_);
  execv(pointers[0], pointers.data());
  std::fprintf(stderr, "heddle: cannot run %s: %s\n", pointers[0], std::strerror(errno));
  _exit(127);
}

void Launch::ask_if_due(LaunchResult& result) {
  if (interrupted != 0) result.stopped = user_asked_ = true;
  if (asked_ || (!user_asked_ && (!time_over_ || Clock::now() < *time_over_))) return;
  asked_ = Clock::now();
  channel_->stop = true;
}

/// The exploration has been asked to stop, but the current execution may never end.
void Launch::insist(Guardian& guardian) {
  if (!asked_) return;
  const auto waited = Clock::now() - *asked_;
  if (interrupted > 1 || waited > (user_asked_ ? kUntilAllEndsForUser : kUntilAllEnds)) {
    ended_all_ = true;
    guardian.end();
  } else if (waited > (user_asked_ ? kUntilExecutionEndsForUser : kUntilExecutionEnds)) {
    end_execution(guardian,
                  user_asked_ ? "it still ran when you asked to stop" : "it still ran when the time was over");
  }
}

/// Where the program itself explores, all of it ends. The number may belong to another process by now: only one that
/// descends from the program is ended.
void Launch::end_execution(const Guardian& guardian, const std::string& why) {
  const int process = channel_->counts.process;
  if (process <= 0 || process == channel_->ended_process) return;
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  if (handle >= 0 && channel_->counts.process == process && descends_from(process, guardian.process())) {
    std::snprintf(channel_->ended_text, sizeof channel_->ended_text, "%s", why.c_str());
    channel_->ended_process = process;
    if (process == guardian.program()) {
      channel_->counts.ended.fetch_add(1);
      ended_explorer_ = true;
    }
    syscall(SYS_pidfd_send_signal, handle, SIGKILL, nullptr, 0);
  }
  if (handle >= 0) close(handle);
}

/// If no step is taken for a while, the running process is poked, which makes it tell where it is and yield there; and
/// ended if that does not help.
void Launch::look_after(const Guardian& guardian) {
  const int process = channel_->counts.process;
  const Patience::Sign sign = {channel_->counts.begun, channel_->counts.steps_told, process > 0};
  const Clock::time_point now = Clock::now();
  const double stood_still = std::chrono::duration<double>(patience_.stands_still(now)).count();
  switch (patience_.look(sign, now, stood_still > kSlow && cannot_move(process))) {
    case Patience::Advice::wait:
      break;
    case Patience::Advice::poke:
      if (takes_signal(process, preload::kPoke)) kill(process, preload::kPoke);
      break;
    case Patience::Advice::end: {
      const std::string what = what_it_does(process);
      end_execution(guardian,
                    fmt::format("it took no step for {:.1f} s{}{}", stood_still, what.empty() ? "" : ": ", what));
    }
  }
}

/// The isolation that was tried does not suit the program: it ended or blocked the process that explores.
bool Launch::must_begin_anew() const {
  if (asked_ || channel_->ending != preload::Ending::none) return false;
  const bool has_another = channel_->request.isolation != preload::IsolationMode::fork;
  return channel_->again || (channel_->counts.begun != 0 && has_another);
}

/// None of the results so far count, but the time does.
void Launch::begin_anew() {
  preload::Request request = channel_->request;
  const bool was_prefix = request.isolation == preload::IsolationMode::prefix;
  const bool was_asked_for = request.isolation != preload::IsolationMode::automatic;
  request.isolation = was_prefix ? preload::IsolationMode::fork : preload::IsolationMode::prefix;
  const engine::Budget budget = options::budget_of(request);
  if (time_over_) {
    request.executions = budget.executions;
    request.seconds = std::max(kWorthAnother, std::chrono::duration<double>(*time_over_ - Clock::now()).count());
  }
  const char* const name = was_prefix ? "fork" : "prefix";
  const std::string why = channel_->again ? std::string(channel_->chosen_text)
                                          : fmt::format("{} (the program ends or blocks its process)", name);
  for (const int file : {request.output, request.errors, request.results, request.list})
    if (file >= 0 && ftruncate(file, 0) != 0) throw std::runtime_error("a result could not be taken back");
  lseek(STDIN_FILENO, input_begins_, SEEK_SET);  // if it is a file
  new (channel_) preload::Channel;
  channel_->request = request;
  std::snprintf(channel_->chosen_text, sizeof channel_->chosen_text, "%s", why.c_str());
  if (was_asked_for)
    std::snprintf(channel_->isolation_text, sizeof channel_->isolation_text,
                  "not the isolation that was asked for: the program ends or blocks the process that explores");
}

void Launch::run_once(const std::vector<std::string>& words, const std::string& library, bool bind_now,
                      const std::function<void()>& watch, LaunchResult& result) {
  const std::string sanitizer = sanitizer_library(words[0]);
  std::fflush(nullptr);
  patience_ = Patience(Clock::now(), time_over_ ? *time_over_ - began_ : Clock::duration::zero());
  ended_all_ = false;
  ended_explorer_ = false;
  Guardian guardian([&] { become(words, sanitizer, library, bind_now); });
  while (!guardian.has_ended(kTickMs)) {
    watch();
    answer();
    look_after(guardian);
    ask_if_due(result);
    if (channel_->ending == preload::Ending::refused) guardian.end();  // others may wait for the one that told
    insist(guardian);
  }
  status_ = guardian.status();
  // Otherwise another isolation is tried. On a busy machine the time may be over before the process is gone.
  ended_all_ = ended_all_ || (ended_explorer_ && asked_);
  if (guardian.was_killed())
    result.error = "something killed the process with which heddle guards the program: run it again";
  if (guardian.left_some())
    result.remark = "processes that the program started could not be ended: they may belong to another user";
}

void Launch::run_with(const std::vector<std::string>& words, const std::string& library,
                      const std::function<void()>& watch, LaunchResult& result) {
  run_once(words, library, true, watch, result);
  if (!channel_->runtime_started && !asked_ && !was_refused() &&
      result.error.empty())  // it may lack a function that it never calls
    run_once(words, library, false, watch, result);
  while (result.error.empty() && must_begin_anew()) {
    begin_anew();
    run_once(words, library, true, watch, result);
  }
}

LaunchResult Launch::run(const std::vector<std::string>& words, const std::function<void()>& watch) {
  LaunchResult result;
  const std::string library = runtime_library();
  if (library.empty()) {
    result.fault = "libheddle_preload.so is not where this program looks for it, beside itself and in ../lib";
    return result;
  }
  const std::uint64_t time_ns = channel_->request.replay ? 0 : options::budget_of(channel_->request).time_ns;
  began_ = Clock::now();
  if (time_ns != 0) time_over_ = began_ + std::chrono::nanoseconds(time_ns);
  const InterruptGuard guard;
  result.error = keep_input(
      time_over_, [] { return interrupted == 0; }, result.remark);
  if (!result.error.empty()) return result;
  input_begins_ = lseek(STDIN_FILENO, 0, SEEK_CUR);
  run_with(words, library, watch, result);
  if (!result.error.empty()) return result;
  if (ended_all_) {
    channel_->counts.elapsed_ns = static_cast<std::uint64_t>((Clock::now() - began_).count());
    if (channel_->counts.process == 0 && result.remark.empty())
      result.remark = "everything was ended between two executions: does the command of --oracle end?";
  }
  explain_end(words[0], result);
  return result;
}

void Launch::explain_end(const std::string& program, LaunchResult& result) const {
  const bool was_ended = result.stopped || ended_all_;
  if (channel_->ending == preload::Ending::refused) {
    result.refused = channel_->text;
  } else if (!channel_->runtime_started && was_refused()) {
    throw MachineLimit("");  // it has said what, on the standard error
  } else if (was_ended && !result.stopped && channel_->counts.begun == 0) {
    result.error =
        fmt::format("{} did not come to `main` within the time: raise --time, or look at what it does before", program);
  } else if (!channel_->runtime_started && !was_ended) {
    result.error = fmt::format("{} did not load heddle's runtime: it must be linked dynamically with glibc", program);
  } else if (channel_->ending == preload::Ending::wrong_use) {
    result.error = channel_->text;
  } else if (WIFSIGNALED(status_) && WTERMSIG(status_) == SIGXFSZ) {
    errno = EFBIG;
    granted(-1, Scarce::file);
  } else if (!channel_->main_reached && !was_ended) {
    if (WIFEXITED(status_)) result.early_code = WEXITSTATUS(status_);
    result.ended_early = WIFSIGNALED(status_) ? fmt::format("was killed by signal {} ({})", WTERMSIG(status_),
                                                            strsignal(WTERMSIG(status_)))
                                              : fmt::format("ended with exit code {}", WEXITSTATUS(status_));
  } else if (channel_->ending == preload::Ending::none && !was_ended) {
    result.fault = WIFSIGNALED(status_)
                       ? fmt::format("the process that explores was killed by signal {}: {}", WTERMSIG(status_),
                                     read_all(channel_->request.errors))
                       : fmt::format("the process that explores ended with exit code {} before `main`: {}",
                                     WEXITSTATUS(status_), read_all(channel_->request.errors));
  } else {
    read_results(result);
  }
}

/// The runtime was refused something before it could use the channel.
bool Launch::was_refused() const { return WIFEXITED(status_) && WEXITSTATUS(status_) == kExitRefused; }

void Launch::read_results(LaunchResult& result) const {
  const std::string text = read_all(channel_->request.results);
  std::size_t at = 0;
  while (at < text.size()) {
    FoundFailure found;
    int confirmed = 0;
    unsigned long long execution = 0;
    std::array<std::size_t, 3> sizes{};
    const std::size_t line = text.find('\n', at);
    if (ended_all_ && line == std::string::npos) break;  // it was about to write it
    if (line == std::string::npos || std::sscanf(text.c_str() + at, preload::kFailureFormat, &confirmed, &execution,
                                                 &sizes[0], &sizes[1], &sizes[2]) != 5)
      throw std::runtime_error("the results of the exploration cannot be read");
    at = line + 1;
    if (ended_all_ && text.size() - at < sizes[0] + sizes[1] + sizes[2]) break;
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
