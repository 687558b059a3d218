// Explore the schedules of a concurrent test, in the process of the test.
//
//   heddle::explore([] {
//     std::mutex m; int x = 0;
//     std::thread t([&] { std::lock_guard lock(m); ++x; });
//     { std::lock_guard lock(m); ++x; }
//     t.join();
//     assert(x == 2);
//   });
//
// The body is called again and again, each time under another schedule. Inside it ordinary threads, mutexes, condition
// variables and the like are under heddle's control, and time is virtual. It must do the same thing each time it is
// given the same schedule: what it changes outside itself stays changed.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#if defined(__GNUC__)
#define HEDDLE_API __attribute__((visibility("default")))
#else
#define HEDDLE_API
#endif

namespace heddle {

/// How operations are run.
enum class Executor {
  carrier,  // all on one OS thread, with borrowed stacks: fast
  baton,    // an OS thread each, one at a time: slow, for programs that the carrier cannot run
};

/// When sleeps and timed waits come to their end.
enum class TimePolicy {
  choice,   // whenever the strategy says so: a thread can be slow
  patient,  // only when nothing else can happen
};

enum class Output {
  automatic,  // a line of progress on a terminal; nothing in CI or when redirected
  quiet,
};

struct Options {
  std::string name = {};               // of this exploration, in traces; empty: where it is called
  std::string strategy = "portfolio";  // `heddle strategies` lists them
  std::uint64_t executions = 10'000;   // 0: as many as the time allows
  std::chrono::milliseconds time{0};   // 0: as long as the executions take
  std::uint64_t seed = 1;
  std::uint64_t steps_max = 200'000;  // an execution that is longer is stopped: a livelock if that is proved, else cut
  TimePolicy time_policy = TimePolicy::choice;
  bool choose_waiter = true;       // which waiter a signal wakes is a choice; else the one that came first
  bool spurious_wakeups = false;   // condition waits may come back for no reason
  std::string races = "report";    // of an instrumented program (docs/instrument.md): report, promote or ignore them
  std::string points = "auto";     // which of its accesses are scheduling points: sync, atomic, racy, all, or in turn
  std::string standard = "c++20";  // that it is written for: c++11, c++14, c++17 or c++20; says what is ordered
  std::string suppressions = {};   // a file of races that are no bugs, as ThreadSanitizer takes them
  bool weak_failures = false;      // a weak compare-exchange may fail for no reason
  std::chrono::milliseconds outside_wait{2000};  // of real time, when all wait for input from outside the process
  Executor executor = Executor::carrier;
  Output output = Output::automatic;
  std::string trace_directory = ".";    // where the trace of a failure goes; empty: nowhere
  std::vector<std::string> allow = {};  // misuses that are no bug here, as in `relock`: docs/concepts.md names them
};

// HEDDLE_STRATEGY, HEDDLE_SEED, HEDDLE_EXECUTIONS, HEDDLE_TIME (seconds), HEDDLE_TRACE_DIR, HEDDLE_RACES,
// HEDDLE_STANDARD, HEDDLE_POINTS, HEDDLE_SUPPRESSIONS and HEDDLE_ALLOW (names with commas between them) in the
// environment take the place of the option of that name in every exploration of the process. HEDDLE_REPLAY names a
// trace to replay.

struct Result {
  bool bug_found = false;
  std::string verdict;      // its kind, as in `deadlock`
  std::string message;      // one sentence
  std::string report;       // for a person: the bug, or what was explored without one
  std::string trace_path;   // empty: none was written
  bool reproduced = false;  // the failing schedule was run again and ended in the same way
  std::uint64_t executions = 0;
  std::uint64_t steps = 0;
  std::uint64_t distinct_schedules = 0;
  std::uint64_t classes = 0;           // schedules that differ in more than the order of independent steps, of a sample
  double chance_of_new_class = 1;      // that one more execution shows another: an estimate, and …
  double chance_of_new_class_min = 0;  // … the ends of its 95 % interval
  double chance_of_new_class_max = 1;
  std::uint64_t cut = 0;               // executions stopped without a verdict: at steps_max, or waiting for the outside
  bool complete = false;               // a systematic strategy explored all that it was asked to
  std::string explored;                // then: what that was
  std::string search;                  // how a portfolio spent the executions and what each member found, as a table
  std::uint64_t suppressed_races = 0;  // pairs of places whose races were suppressed
};

/// Thrown by `explore`; `what()` is the report.
class HEDDLE_API BugFound : public std::runtime_error {
 public:
  explicit BugFound(Result result);
  const Result& result() const { return result_; }

 private:
  Result result_;
};

/// heddle was asked for something impossible; `what()` says what to do instead.
class HEDDLE_API WrongUse : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

using Body = std::function<void()>;

/// A line of a program. (std::source_location, where Clang 14 has none.)
struct CallSite {
  const char* file;
  int line;

  static constexpr CallSite here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// Explores the body; throws BugFound if a schedule breaks it. For tests: an exception fails a test in any framework.
HEDDLE_API Result explore(const Body& body, const Options& options = {}, CallSite where = CallSite::here());
/// The same without the exception.
[[nodiscard]] HEDDLE_API Result try_explore(const Body& body, const Options& options = {},
                                            CallSite where = CallSite::here());
/// The same for a `main` of its own: prints the report and returns the exit code. 0: no bug, 1: wrong use, 2: a bug.
[[nodiscard]] HEDDLE_API int explore_main(const Body& body, const Options& options = {},
                                          CallSite where = CallSite::here());

// Inside a body.

/// Any of 0 … bound-1: every value is explored. Outside an exploration: 0.
HEDDLE_API std::uint32_t choose(std::uint32_t bound);
/// Should something that can fail, fail here? Explored like a choice of two, but strategies that learn try it once at
/// each place and seldom again. Outside an exploration: no.
HEDDLE_API bool inject_failure();
/// Shows the strategies that learn what state the calling operation is in: those that matter for the bugs that you
/// look for, as a number or a hash of yours. It holds until the operation's next call. Shows nothing otherwise.
HEDDLE_API void observe(std::uint64_t state);
/// The same for something that several operations change: `object` is its address.
HEDDLE_API void observe(const void* object, std::uint64_t state);
/// Ends the execution as a failure. Outside an exploration: prints the message and aborts.
[[noreturn]] HEDDLE_API void fail(std::string_view message);
/// A scheduling point of the program's own, where nothing else would be one.
HEDDLE_API void step();
/// Is the caller an operation of an exploration?
HEDDLE_API bool is_exploring() noexcept;

}  // namespace heddle
