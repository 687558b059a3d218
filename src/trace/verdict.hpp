// How an execution ended.
//
// A verdict is made while the program under test stands still, perhaps after a crash, so it holds its text itself and
// can be copied as bytes.
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
  lost_wakeup,      // a deadlock in which a signal came before the wait
  livelock,         // it goes round for ever, and no operation could have left: proved
  misuse,           // of a primitive
  leaked_thread,    // the body returned, and an operation did not end or was never joined
  memory_error,     // found by AddressSanitizer, or an access of a freed block
  failed,           // heddle::fail, or a test framework's assertion
  race,             // two accesses of memory that nothing orders, one of which writes
  diverged,         // a replay could not be followed: the program is not deterministic
  specification,    // a monitor, heddle::always or heddle::eventually was violated
  unhandled_event,  // a machine got one that its state has no line for
  kCount
};

/// Why an execution was stopped without an answer.
enum class CutReason : std::uint8_t {
  none,      // it was not
  steps,     // it took as many as it may
  values,    // so it did, and drew values again and again: others would have led it out
  machines,  // so it did, and state machines may serve for ever
  outside,   // all that was left waited for what another process would have to do
};

/// How many places of the program are told of an execution that took as many steps as it may.
inline constexpr std::size_t kRepeatedPlaces = 3;

std::string_view name(VerdictKind kind);
/// The kind with that name, or kCount.
VerdictKind verdict_named(std::string_view name);

struct Verdict {
  VerdictKind kind = VerdictKind::passed;
  CutReason cut = CutReason::none;
  OperationId operation = kNoOperation;                 // whose step it was, if anyone's
  char message[500] = "";                               // one sentence without its full stop; empty when passed
  std::array<const void*, kRepeatedPlaces> repeated{};  // code of the program that took the last steps, most first

  bool is_failure() const { return kind != VerdictKind::passed && kind != VerdictKind::cut; }
  std::string_view text() const { return message; }
  /// Cut to what fits; a line break becomes a space.
  void set_text(std::string_view text);
};
static_assert(std::is_trivially_copyable_v<Verdict>);

/// The same failure: the same kind, of the same operation, in the same words.
bool same_failure(const Verdict& a, const Verdict& b);

}  // namespace heddle
