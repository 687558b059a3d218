// What `heddle run` and the program that it runs tell each other: one mapping that both have.
//
// The command fills in the request and starts the program with the runtime loaded into it; the runtime explores, counts
// here, and writes what it found to the descriptor of the results. Plain bytes: the two may be built apart.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "options/values.hpp"
#include "trace/novelty.hpp"

namespace heddle::preload {

inline constexpr const char* kChannelVariable = "HEDDLE_CHANNEL";  // its value: the descriptor of the mapping

/// A variable that the program gets back as it was: `saved` holds `=` and its value, or nothing if it was not there.
struct ChangedVariable {
  const char* name;
  const char* saved;
};
inline constexpr ChangedVariable kPreload = {"LD_PRELOAD", "HEDDLE_SAVED_PRELOAD"};
inline constexpr ChangedVariable kBindNow = {"LD_BIND_NOW", "HEDDLE_SAVED_BIND_NOW"};
inline constexpr ChangedVariable kSanitizerOptions = {"ASAN_OPTIONS", "HEDDLE_SAVED_ASAN_OPTIONS"};

inline constexpr std::uint32_t kChannelVersion = 4;

/// From here up descriptors are heddle's; the program's own begin at 3, as when it runs free.
inline constexpr int kFirstOwnDescriptor = 900;

using options::IsolationMode;

inline constexpr std::size_t kPromotedBytes = 16384;
inline constexpr std::size_t kModulesBytes = 32768;

/// What the user asked for, and what only the command knows.
struct Request : options::Values {
  bool replay = false;  // the schedule that stands in the descriptor `schedule`
  bool replay_is_fair = false;
  bool suppresses = false;                  // ask about each race whether it counts
  char promoted[kPromotedBytes] = "";       // places that are points from the beginning
  char ignored_races[kPromotedBytes] = "";  // pairs of places whose races do not count
  int output = -1;                          // descriptors that the program inherits
  int errors = -1;
  int results = -1;
  int schedule = -1;
  int question = -1;  // the trace that is asked about
  int list = -1;      // of all schedules, one line each; negative: not wanted
};

struct Counts {
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> distinct_schedules{0};
  std::atomic<std::uint64_t> cut{0};
  std::atomic<std::uint64_t> elapsed_ns{0};
  std::atomic<std::uint64_t> begun{0};   // executions, of any kind: moves while anything does
  std::atomic<std::int32_t> process{0};  // that runs the execution
  std::atomic<bool> distinct_is_exact{true};
  Novelty novelty;  // when the exploration has ended
};

enum class Ending : std::uint32_t { none, wrong_use, done };

inline constexpr int kPoke = 62;  // a signal that the command sends to a process in which nothing moves
inline constexpr std::uint32_t kStuckDepthMax = 12;

struct StuckPlace {
  char module[200] = "";
  std::uint64_t offset = 0;
};

inline constexpr std::uint32_t kRepeatedMax = 3;

struct Channel {
  // Two builds that do not agree must notice, also after an option was added: these two stay where they are.
  std::uint32_t version = kChannelVersion;
  std::uint32_t bytes = sizeof(Channel);
  Request request;
  Counts counts;
  std::atomic<bool> runtime_started{false};
  std::atomic<bool> stop{false};          // set by the command
  std::atomic<bool> instrumented{false};  // the program, or part of it: its accesses were seen
  char promoted[kPromotedBytes] = "";     // places that are points by now
  std::atomic<std::uint32_t> asked{0};    // how often: is the race in the descriptor `question` suppressed?
  std::atomic<std::uint32_t> answered{0};
  std::atomic<bool> is_suppressed{false};  // the last answer
  std::atomic<bool> started_child{false};
  std::atomic<bool> given_up{false};    // the command killed the execution because nothing moved
  std::atomic<std::uint32_t> stuck{0};  // times that nothing moved
  char isolation_text[200] = "";        // why executions are kept apart in another way than was asked for
  char chosen_text[200] = "";           // of automatic isolation: which it is and why
  std::atomic<bool> rewinds{false};     // it may yet turn out that the program cannot be rewound
  std::atomic<bool> again{false};       // it has: the exploration must begin anew, with prefix
  std::uint32_t stuck_depth = 0;
  StuckPlace stuck_places[kStuckDepthMax];  // innermost first
  char stuck_text[512] = "";                // where the last of them stood
  Ending ending = Ending::none;
  bool finished = false;
  bool nothing_to_choose = false;
  std::uint32_t repeated_count = 0;
  StuckPlace repeated[kRepeatedMax];  // where an execution that came to the bound of steps took its last ones
  char search[4096] = "";             // how the executions were spent
  char points_text[160] = "";         // how many executions had which points, if that changed
  char modules[kModulesBytes] = "";   // paths of what is loaded, the program first, each with a line break
  char text[1024] = "";               // what was explored, or what is wrong
};

/// Before each failure in the results, on a line of its own; then the three texts.
inline constexpr const char* kFailureFormat = "failure %d %llu %zu %zu %zu\n";  // confirmed, execution, sizes

}  // namespace heddle::preload
