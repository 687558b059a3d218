// A trace as a file: text, versioned, readable in a diff.
//
//   heddle trace 1
//   program ./bank
//   seed 7
//   verdict assertion T2 assertion `total == 100` failed
//
//   operations
//     T0 before join T1 {7} as main
//     T1 from T0 ended as transfer(int, int)
//   resources
//     m1 mutex held by T2 as queue_lock
//   steps
//     1   T0 create T1 at bank.cpp:27 {1}
//     2 * T1 lock m1 (queue_lock) at bank.cpp:11 {5,2}
//     3 ! T0 choose =1/3 at bank.cpp:28 {4}
//   places
//     0 /home/ann/bank+0x11a4
//         /home/ann/bank.cpp:27 main
//   end 3
//
// `*` marks a choice between operations, `!` one that preempts, `=1/3` a data choice: value and bound. The numbers in
// braces are the stack, innermost first. Of a step, what stands between its resource and the braces is for the reader
// alone. Strings are escaped (trace/text.hpp). A file that any released version wrote must load for ever: a change
// that version 1 cannot say needs version 2, and the reader keeps reading both.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "trace/trace.hpp"

namespace heddle {

inline constexpr int kTraceVersion = 1;
inline constexpr std::size_t kFramesMax = 16;  // of one stack in a file: the innermost

/// What is kept of a trace in a file: stacks cut to kFramesMax, places in the order of their first use.
Trace trimmed(const Trace& trace);

/// Loading the text gives trimmed(trace), exactly.
std::string to_text(const Trace& trace);

struct LoadedTrace {
  std::optional<Trace> trace;
  std::string error;  // if there is none: one sentence that begins with file:line or with the file
};

/// `file` is only used in messages.
LoadedTrace parse_trace(std::string_view text, std::string_view file);
LoadedTrace read_trace(const std::string& path);

/// All of it or nothing: writes beside `path`, then renames. Returns why it failed, or nothing.
std::string write_trace(const Trace& trace, const std::string& path);

}  // namespace heddle
