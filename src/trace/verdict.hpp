// How an execution ended.
//
// A verdict is made while the program under test stands still, perhaps after a crash, so it holds its text itself and
// can be copied as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "base/ids.hpp"

namespace heddle {

enum class VerdictKind : std::uint8_t {
  passed,
  cut,  // stopped at the step bound under a strategy that need not be fair: says nothing
  assertion,
  aborted,
  exception,  // uncaught
  signal,
  stack_overflow,
  exited,  // the body called exit
  deadlock,
  lost_wakeup,      // a deadlock in which a signal came before the wait
  livelock,         // no end within the step bound, under a fair strategy
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

std::string_view name(VerdictKind kind);
/// The kind with that name, or kCount.
VerdictKind verdict_named(std::string_view name);

struct Verdict {
  VerdictKind kind = VerdictKind::passed;
  OperationId operation = kNoOperation;  // whose step it was, if anyone's
  char message[500] = "";                // one sentence without its full stop; empty when passed

  bool is_failure() const { return kind != VerdictKind::passed && kind != VerdictKind::cut; }
  std::string_view text() const { return message; }
  /// Cut to what fits; a line break becomes a space.
  void set_text(std::string_view text);
};
static_assert(std::is_trivially_copyable_v<Verdict>);

/// The same failure: the same kind, of the same operation, in the same words.
bool same_failure(const Verdict& a, const Verdict& b);

}  // namespace heddle
