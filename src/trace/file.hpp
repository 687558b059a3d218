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
//   seal 6a1f…
//
// `*` marks a choice between operations, `!` one that preempts, and `=1/3` a data choice: value and bound. The numbers
// in braces are the stack, innermost first. In a step, the text between the resource and the braces is only for the
// human reader. Strings are escaped (trace/text.hpp). The seal says that this user wrote it (trace/seal.hpp). Every
// file written by a released version must load for ever: a change that version 1 cannot express needs version 2, and
// the reader keeps reading both.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "trace/trace.hpp"

namespace heddle {

inline constexpr int kTraceVersion = 1;
inline constexpr std::size_t kFramesMax = 16;  // kept from one stack, innermost first

// A trace may come from anywhere. What is larger is refused, so that reading one takes bounded time and memory. Ten
// times the usual bound of steps is 2 million of them, some 200 MB.
inline constexpr std::size_t kTraceBytesMax = std::size_t{256} << 20;
inline constexpr std::size_t kTraceLineBytesMax = std::size_t{1} << 20;
inline constexpr std::size_t kTraceOperationsMax = 100'000;
inline constexpr std::size_t kTraceFramesMax = 1'000;      // of one stack
inline constexpr std::size_t kTraceInlinedMax = 1'000;     // functions at one place
inline constexpr std::size_t kTraceSettingsMax = 100'000;  // arguments and options together

/// The part of a trace that a file keeps: stacks cut to kFramesMax, places in the order of their first use. What refers
/// to something that the trace does not have refers to nothing: a crash may leave such a record, and it must load.
Trace trimmed(const Trace& trace);

/// Loading the text gives exactly trimmed(trace).
std::string to_text(const Trace& trace);

struct LoadedTrace {
  std::optional<Trace> trace;
  std::string error = {};   // if there is no trace: one sentence that begins with file:line or with the file
  std::string seal = {};    // as the file has it; empty: it has none
  std::string digest = {};  // of what is sealed
  std::map<std::string, std::size_t, std::less<>> option_lines = {};  // where each option is
};

/// Did heddle write it for this user, on this machine?
bool is_own(const LoadedTrace& loaded);

/// `bank.trace:12`, the line of an option of the header; the file alone if it is not there.
std::string place_of_option(const LoadedTrace& loaded, std::string_view file, std::string_view option);

/// `file` is used only in messages.
LoadedTrace parse_trace(std::string_view text, std::string_view file);
/// Only a regular file is read.
LoadedTrace read_trace(const std::string& path);

/// The text with its seal, if this user can have one.
std::string sealed_text(const Trace& trace);

/// Writes all or nothing, and replaces what is there. Returns why it failed, or an empty string.
std::string write_trace(const Trace& trace, const std::string& path);

}  // namespace heddle
