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
// heddle calls the body again and again, each time under another schedule. Inside the body, ordinary threads, mutexes,
// condition variables and the like are under heddle's control, and time is virtual. Under the same schedule the body
// must always do the same thing. What it changes outside itself stays changed.
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

/// How heddle runs operations.
enum class Executor {
  carrier,  // all on one OS thread, with borrowed stacks: fast
  baton,    // one OS thread per operation, one running at a time: slow, for programs that the carrier cannot run
};

/// When sleeps and timed waits end.
enum class TimePolicy {
  choice,   // whenever the strategy decides: a thread can be slow
  patient,  // only when nothing else can happen
};

enum class Output {
  automatic,  // a progress line on a terminal; nothing in CI or when redirected
  quiet,
};

struct Options {
  std::string name = {};               // of this exploration, in traces; empty: the file and line of the call
  std::string strategy = "portfolio";  // `heddle strategies` lists them
  std::uint64_t executions = 10'000;   // 0: as many as the time allows
  std::chrono::milliseconds time{0};   // 0: as long as the executions take
  std::uint64_t seed = 1;
  std::uint64_t steps_max = 200'000;  // a longer execution is stopped: a livelock if that is proved, else cut
  TimePolicy time_policy = TimePolicy::choice;
  bool choose_waiter = true;      // the strategy chooses the waiter that a signal wakes; else the first that came
  bool spurious_wakeups = false;  // condition waits may return for no reason
  std::string choices = "auto";   // points at which the strategy is asked: all, needed, or auto: as it needs them
  // The next five are for instrumented programs (docs/instrument.md); of points, the others know sync and release.
  std::string races = "report";    // data races: report, promote or ignore
  std::string points = "auto";     // which accesses are points: sync, release, atomic, racy, all, or auto: in turn
  std::string standard = "c++20";  // of the program: c++11, c++14, c++17 or c++20; decides what is ordered
  std::string suppressions = {};   // a file of races that are not bugs, in ThreadSanitizer's format
  bool weak_failures = false;      // a weak compare-exchange may fail for no reason
  std::chrono::milliseconds outside_wait{2000};  // real time, when all operations wait for outside input
  Executor executor = Executor::carrier;
  Output output = Output::automatic;
  std::string trace_directory = ".";    // where the trace of a failure is written; empty: nowhere
  std::vector<std::string> allow = {};  // misuses that are no bug here, such as `relock`: docs/concepts.md lists them
};

// These environment variables override the option of that name in every exploration of the process: HEDDLE_STRATEGY,
// HEDDLE_SEED, HEDDLE_EXECUTIONS, HEDDLE_TIME (seconds), HEDDLE_TRACE_DIR, HEDDLE_RACES, HEDDLE_STANDARD,
// HEDDLE_CHOICES, HEDDLE_POINTS, HEDDLE_SUPPRESSIONS and HEDDLE_ALLOW (names with commas between them). HEDDLE_REPLAY
// names a trace to replay.

struct Result {
  bool bug_found = false;
  std::string verdict;      // its kind, such as `deadlock`
  std::string message;      // one sentence
  std::string report;       // for people: the bug, or what was explored without finding one
  std::string trace_path;   // empty: no trace was written
  bool reproduced = false;  // the failing schedule was run again and ended in the same way
  std::uint64_t executions = 0;
  std::uint64_t steps = 0;
  std::uint64_t distinct_schedules = 0;
  std::uint64_t classes = 0;           // in a sample: schedules that differ in more than the order of independent steps
  double chance_of_new_class = 1;      // estimated chance that one more execution shows another class …
  double chance_of_new_class_min = 0;  // … and the ends of its 95 % interval
  double chance_of_new_class_max = 1;
  std::uint64_t cut = 0;               // executions stopped without a verdict: at steps_max, or waiting for the outside
  bool complete = false;               // a systematic strategy explored all that it was asked to
  std::string explored;                // if complete: what was explored
  std::string search;                  // a table: how a portfolio spent the executions and what each member found
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

/// Thrown if heddle is asked for something impossible; `what()` says what to do instead.
class HEDDLE_API WrongUse : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

using Body = std::function<void()>;

/// A line of a program. (Clang 14 has no std::source_location.)
struct CallSite {
  const char* file;
  int line;

  static constexpr CallSite here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

/// Explores the body and throws BugFound if a schedule breaks it. For tests: an exception fails a test in any
/// framework.
HEDDLE_API Result explore(const Body& body, const Options& options = {}, CallSite where = CallSite::here());
/// The same without the exception.
[[nodiscard]] HEDDLE_API Result try_explore(const Body& body, const Options& options = {},
                                            CallSite where = CallSite::here());
/// The same for a `main` function: prints the report and returns the exit code. 0: no bug, 1: wrong use, 2: a bug.
[[nodiscard]] HEDDLE_API int explore_main(const Body& body, const Options& options = {},
                                          CallSite where = CallSite::here());

// Functions to call inside a body.

/// Returns one of 0 … bound-1: every value is explored. Outside an exploration: 0.
HEDDLE_API std::uint32_t choose(std::uint32_t bound);
/// Returns whether an action that can fail should fail here. Explored like a choice of two, but strategies that learn
/// try a failure once at each place and seldom again. Outside an exploration: false.
HEDDLE_API bool inject_failure();
/// Shows the state of the calling operation to the strategies that learn. Pass the part of the state that matters for
/// the bugs that you look for, as a number or a hash. It holds until the operation's next call. Outside an exploration:
/// no effect.
HEDDLE_API void observe(std::uint64_t state);
/// The same for an object that several operations change: `object` is its address.
HEDDLE_API void observe(const void* object, std::uint64_t state);
/// Ends the execution as a failure. Outside an exploration: prints the message and aborts.
[[noreturn]] HEDDLE_API void fail(std::string_view message);
/// A scheduling point added by the program, where there would be none.
HEDDLE_API void step();
/// Whether the caller is an operation of an exploration.
HEDDLE_API bool is_exploring() noexcept;

}  // namespace heddle
