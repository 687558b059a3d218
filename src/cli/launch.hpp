// Starts a program with the runtime loaded, watches it explore, and collects what it found.
//
// The command keeps its own clock and needs no help of the program: when the time is over it asks the exploration to
// stop, then ends the execution in progress, then everything. An execution that makes no progress is ended as well.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/patience.hpp"
#include "preload/channel.hpp"
#include "trace/schedule.hpp"
#include "trace/trace.hpp"

namespace heddle::cli {

class Guardian;

/// A failure as the runtime reports it, with the output of the program when it was run again.
struct FoundFailure {
  Trace trace;  // no header, no source lines
  bool confirmed = false;
  std::uint64_t execution = 0;
  std::string output;
  std::string errors;
};

struct LaunchResult {
  std::string error;        // wrong use: nothing was explored
  std::string fault;        // a fault of heddle itself
  std::string ended_early;  // how the program ended before `main`, as it would without heddle
  int early_code = -1;      // its exit code, if it was not killed
  std::string refused;      // what the machine refused, as a sentence without its full stop
  bool stopped = false;     // by the user
  std::string remark;       // what else the user must know
  std::vector<FoundFailure> failures;
};

class Launch {
 public:
  Launch();
  ~Launch();
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  const preload::Channel& channel() const { return *channel_; }
  void set_options(const options::Values& values);
  /// In the format of runtime::Promoted and runtime::Ignored: places that are scheduling points from the start, and
  /// pairs of places whose races do not count. Returns what is wrong with them, if anything.
  std::string set_places(std::string_view promoted, std::string_view ignored_races);
  /// Runs the program once, along this schedule. `as_if_fair`: running out of steps is a livelock.
  void set_replay(const std::vector<Choice>& schedule, bool as_if_fair);
  /// The file to which the runtime writes the list of schedules. Returns what is wrong with it, if anything.
  std::string list_to(const std::string& path);

  /// Sets the function that decides whether a race is suppressed. The trace it gets has neither header nor lines.
  void answer_with(std::function<bool(Trace&)> answer);

  /// `words`: the program's absolute path and its arguments. `watch` is called several times a second.
  LaunchResult run(const std::vector<std::string>& words, const std::function<void()>& watch);

 private:
  using Clock = std::chrono::steady_clock;

  void run_with(const std::vector<std::string>& words, const std::string& library, const std::function<void()>& watch,
                LaunchResult& result);
  void run_once(const std::vector<std::string>& words, const std::string& library, bool bind_now,
                const std::function<void()>& watch, LaunchResult& result);
  [[noreturn]] void become(const std::vector<std::string>& words, const std::string& sanitizer,
                           const std::string& library, bool bind_now) const;
  void ask_if_due(LaunchResult& result);
  void insist(Guardian& guardian);
  void look_after(const Guardian& guardian);
  void end_execution(const Guardian& guardian, const std::string& why);
  void answer();
  bool must_begin_anew() const;
  void begin_anew();
  void explain_end(const std::string& program, LaunchResult& result) const;
  bool was_refused() const;
  void read_results(LaunchResult& result) const;

  preload::Channel* channel_ = nullptr;
  std::function<bool(Trace&)> answer_;
  int descriptor_ = -1;
  int status_ = 0;
  long input_begins_ = 0;
  Clock::time_point began_{};
  std::optional<Clock::time_point> time_over_;
  std::optional<Clock::time_point> asked_;  // the exploration was asked to stop, by the user or by the clock
  bool user_asked_ = false;
  Patience patience_{Clock::now(), {}};
  bool ended_all_ = false;       // what is in the channel is all there is
  bool ended_explorer_ = false;  // it ran an execution itself
};

}  // namespace heddle::cli
