// How an execution ended.
//
// A verdict is made while the program under test is stopped, perhaps after a crash. So it holds its text itself and can
// be copied as bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "base/ids.hpp"

namespace heddle {

enum class VerdictKind : std::uint8_t {
  passed,
  cut,  // stopped without an answer: see CutReason
  assertion,
  aborted,
  exception,  // uncaught
  signal,
  stack_overflow,
  exited,  // the body called exit
  deadlock,
  lost_wakeup,      // a deadlock in which a signal was sent before the wait began
  livelock,         // it loops for ever, and no operation could have left the loop: proved
  misuse,           // of a primitive
  leaked_thread,    // the body returned while an operation had not ended or was never joined
  memory_error,     // found by AddressSanitizer, or an access to a freed block
  failed,           // heddle::fail, or a test framework's assertion
  race,             // two unordered accesses to the same memory, at least one of which writes
  diverged,         // a replay could not follow the trace: the program is not deterministic
  specification,    // a monitor, heddle::always or heddle::eventually was violated
  unhandled_event,  // a machine received an event that its state does not handle
  kCount
};

/// Why an execution was stopped without an answer.
enum class CutReason : std::uint8_t {
  none,      // it was not stopped
  steps,     // it reached the step limit
  values,    // it reached the step limit and kept drawing values: other values would have let it end
  machines,  // it reached the step limit, and state machines may run for ever
  outside,   // all remaining operations waited for another process to act
  ended,     // the command killed it: it made no progress, or the time was over
};

/// How many places of the program are reported for an execution that reached the step limit.
inline constexpr std::size_t kRepeatedPlaces = 3;

std::string_view name(VerdictKind kind);
/// The kind with this name, or kCount.
VerdictKind verdict_named(std::string_view name);

/// The words of a verdict's message that name a resource: `variable x1`. A report can put the program's name there.
struct Mention {
  ResourceId what = kNoResource;
  std::uint16_t at = 0;  // index of the first character
  std::uint16_t length = 0;

  bool operator==(const Mention&) const = default;
};

struct Verdict {
  VerdictKind kind = VerdictKind::passed;
  CutReason cut = CutReason::none;
  OperationId operation = kNoOperation;                 // the operation whose step it was, if any
  Mention mention;                                      // where the message names the verdict's subject
  char message[500] = "";                               // one sentence without its full stop; empty if passed
  std::array<const void*, kRepeatedPlaces> repeated{};  // code of the program that took the last steps, most frequent
                                                        // first

  bool is_failure() const { return kind != VerdictKind::passed && kind != VerdictKind::cut; }
  std::string_view text() const { return message; }
  /// Truncated to fit; line breaks become spaces.
  void set_text(std::string_view text);
};
static_assert(std::is_trivially_copyable_v<Verdict>);

/// Compares kind, operation and message.
bool same_failure(const Verdict& a, const Verdict& b);

}  // namespace heddle
