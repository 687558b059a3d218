// Starting a program with the runtime in it, watching it explore, and fetching what it found.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "preload/channel.hpp"
#include "trace/schedule.hpp"
#include "trace/trace.hpp"

namespace heddle::cli {

/// A failure as the runtime hands it over, with what the program wrote when it was run again.
struct FoundFailure {
  Trace trace;  // no header, no source lines
  bool confirmed = false;
  std::uint64_t execution = 0;
  std::string output;
  std::string errors;
};

struct LaunchResult {
  std::string error;     // wrong use: nothing was explored
  std::string fault;     // heddle's own
  bool stopped = false;  // by the user
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
  /// As runtime::Promoted and runtime::Ignored write them: places that are points from the beginning, and pairs of
  /// places whose races do not count. Returns what is wrong with them, if anything.
  std::string set_places(std::string_view promoted, std::string_view ignored_races);
  /// Runs the program once, along this schedule. `as_if_fair`: running out of steps is a livelock.
  void set_replay(const std::vector<Choice>& schedule, bool as_if_fair);
  /// Where the runtime lists the schedules. Returns what is wrong with it, if anything.
  std::string list_to(const std::string& path);

  /// Who says whether a race, which has neither header nor lines, is suppressed.
  void answer_with(std::function<bool(Trace&)> answer);

  /// `words`: the program's absolute path and its arguments. `watch` is called some times a second.
  LaunchResult run(const std::vector<std::string>& words, const std::function<void()>& watch);

 private:
  void start(const std::vector<std::string>& words, const std::string& library, bool bind_now);
  void wait(const std::function<void()>& watch, LaunchResult& result);
  void stop();
  void look_for_standstill();
  void answer();
  void begin_anew();
  void read_results(LaunchResult& result) const;

  preload::Channel* channel_ = nullptr;
  std::function<bool(Trace&)> answer_;
  int descriptor_ = -1;
  int process_ = -1;
  int status_ = 0;
  long input_begins_ = 0;
  std::uint64_t last_begun_ = 0;
  std::chrono::steady_clock::time_point last_move_{};
  std::uint32_t given_up_ = 0;
};

}  // namespace heddle::cli
