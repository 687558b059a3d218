// How `heddle run` and the program it runs communicate: one mapping that both processes share.
//
// The command fills in the request and starts the program with the runtime loaded. The runtime explores, updates the
// counters here, and writes its findings to the results descriptor. The layout is plain bytes, because the two sides
// may be separate builds.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "options/values.hpp"
#include "runtime/kernel_calls/uncontrolled.hpp"
#include "trace/novelty.hpp"

namespace heddle::preload {

inline constexpr const char* kChannelVariable = "HEDDLE_CHANNEL";  // its value: the mapping's descriptor

/// A variable that is restored for the program: `saved` holds `=` and the old value, or nothing if it was not set.
struct ChangedVariable {
  const char* name;
  const char* saved;
};
inline constexpr ChangedVariable kPreload = {"LD_PRELOAD", "HEDDLE_SAVED_PRELOAD"};
inline constexpr ChangedVariable kBindNow = {"LD_BIND_NOW", "HEDDLE_SAVED_BIND_NOW"};
inline constexpr ChangedVariable kSpinCount = {"GOMP_SPINCOUNT", "HEDDLE_SAVED_GOMP_SPINCOUNT"};
inline constexpr ChangedVariable kSanitizerOptions = {"ASAN_OPTIONS", "HEDDLE_SAVED_ASAN_OPTIONS"};

inline constexpr std::uint32_t kChannelVersion = 5;

using options::IsolationMode;

inline constexpr std::size_t kPromotedBytes = 16384;
inline constexpr std::size_t kModulesBytes = 32768;

/// The user's options, and what only the command knows.
struct Request : options::Values {
  bool replay = false;  // runs the schedule in the descriptor `schedule`
  bool replay_is_fair = false;
  bool suppresses = false;                  // ask the command whether each race counts
  char promoted[kPromotedBytes] = "";       // places that are scheduling points from the start
  char ignored_races[kPromotedBytes] = "";  // pairs of places whose races are ignored
  int first_descriptor = -1;                // of the window for heddle's own (base/own_descriptors.hpp)
  int output = -1;                          // descriptors that the program inherits
  int errors = -1;
  int results = -1;
  int schedule = -1;
  int question = -1;  // the trace the question is about
  int list = -1;      // lists all schedules, one line each; negative: not wanted
};

struct Counts {
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> distinct_schedules{0};
  std::atomic<std::uint64_t> cut{0};    // stopped at the step bound, or waiting in vain for the outside
  std::atomic<std::uint64_t> ended{0};  // killed by the command: they made no progress, or the time was over
  std::atomic<std::uint64_t> elapsed_ns{0};
  std::atomic<std::uint64_t> begun{0};       // executions of any kind; changes as long as anything makes progress
  std::atomic<std::uint64_t> steps_told{0};  // of the current execution, when it was last poked
  std::atomic<std::int32_t> process{0};      // the one that runs the execution; 0: heddle itself is at work
  std::atomic<bool> distinct_is_exact{true};
  Novelty novelty;  // set when the exploration has ended
};

/// `refused`: the machine has no more of something that heddle needs; `text` says what.
enum class Ending : std::uint32_t { none, wrong_use, done, refused };

inline constexpr int kPoke = 62;  // a signal that the command sends to a process that makes no progress
inline constexpr std::uint32_t kStuckDepthMax = 12;

struct StuckPlace {
  char module[200] = "";
  std::uint64_t offset = 0;
};

inline constexpr std::uint32_t kRepeatedMax = 3;

struct Channel {
  // Two builds that do not match must detect it, even after an option was added: these two fields never move.
  std::uint32_t version = kChannelVersion;
  std::uint32_t bytes = sizeof(Channel);
  Request request;
  Counts counts;
  std::atomic<bool> runtime_started{false};
  std::atomic<bool> main_reached{false};  // static initialisers have run
  std::atomic<bool> stop{false};          // set by the command
  std::atomic<bool> instrumented{false};  // accesses were seen: the program is instrumented, at least in part
  char promoted[kPromotedBytes] = "";     // places that are scheduling points by now
  std::atomic<std::uint32_t> asked{0};    // number of questions: is the race in the descriptor `question` suppressed?
  std::atomic<std::uint32_t> answered{0};
  std::atomic<bool> is_suppressed{false};  // the last answer
  std::atomic<bool> started_child{false};
  std::atomic<std::uint64_t> unseen_ends{0};   // executions whose process ended by a call that heddle does not see
  std::atomic<std::int32_t> ended_process{0};  // the last that the command killed, so that its end is no verdict
  char ended_text[300] = "";                   // why it did
  std::atomic<std::uint32_t> stuck{0};         // how often progress stopped
  char isolation_text[200] = "";               // why another isolation is used than the one requested
  char chosen_text[200] = "";                  // automatic isolation: which one was chosen, and why
  std::atomic<bool> again{false};  // the program cannot be rewound: the exploration must start over with prefix
  std::uint32_t stuck_depth = 0;
  StuckPlace stuck_places[kStuckDepthMax];  // innermost first
  char stuck_text[512] = "";                // where the last of them was stuck
  Ending ending = Ending::none;
  bool finished = false;
  bool nothing_to_choose = false;
  std::uint32_t repeated_count = 0;
  StuckPlace repeated[kRepeatedMax];       // where an execution that hit the step bound took its last steps
  char search[4096] = "";                  // how the executions were spent
  char points_text[160] = "";              // how many executions had which points, if the points changed
  char modules[kModulesBytes] = "";        // paths of the loaded modules, the program first, one a line
  runtime::UncontrolledCode uncontrolled;  // what the program does and heddle does not control
  char text[1024] = "";                    // what was explored, or what went wrong
};

/// Precedes each failure in the results, on a line of its own; the three texts follow.
inline constexpr const char* kFailureFormat = "failure %d %llu %zu %zu %zu\n";  // confirmed, execution, sizes

}  // namespace heddle::preload
