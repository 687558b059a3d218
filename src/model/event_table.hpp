// The properties of each kind of event, one row for each kind. All code that asks about a kind asks here, so a new
// primitive needs a model, a front end and a row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/event_kind.hpp"

namespace heddle::model {

/// What an event does to something it touches.
enum class Does : std::uint8_t {
  nothing,
  reads,
  shares,  // takes a share of it: any number of operations can at the same time
  writes,
  takes,
  gives_back,
  waits,  // begins or ends a wait there
  makes,
  ends,
};

/// Do two events that both do this to the same thing leave it in the same state in either order?
constexpr bool only_looks(Does does) { return does <= Does::shares; }
/// Can the order of the two be observed?
constexpr bool conflict(Does one, Does other) {
  return one != Does::nothing && other != Does::nothing && !(only_looks(one) && only_looks(other));
}

/// How long an operation is blocked at an event that cannot happen now.
enum class Standing : std::uint8_t {
  never,        // the event can always happen
  until_free,   // until the holder of the resource releases it
  until_given,  // until the resource admits the event, whichever operation causes that
  until_woken,  // until a step of another operation wakes it
};

/// What an event needs from its resource to be possible now: see Resource::admits.
enum class Needs : std::uint8_t {
  nothing,
  the_mutex,
  a_share,         // of a read-write lock
  the_whole_lock,  // of a read-write lock
  a_unit,          // of a semaphore
  the_flag,        // of a one-time initialisation: it is not running
  the_end,         // of an operation
  a_wake,          // by a step of another operation or by a timeout; nothing that the resource has
};

/// Is a wait over once a signal handler has run in it? POSIX says so for some waits.
enum class AfterHandler : std::uint8_t {
  goes_on,
  is_over,
  may_restart,             // resumes under SA_RESTART, otherwise over
  may_restart_if_endless,  // the same, but a wait with a deadline is always over
};

/// What an event is predicted to touch beyond what it names.
enum class Reaches : std::uint8_t {
  nothing,
  its_mutex,      // of a condition: the mutex that operations wait with, to release it …
  its_mutex_too,  // … or to see whether a waiter can take it
  its_word,       // of a futex: the word itself
  clock,          // reads the time, which then advances
  its_locks,      // of the end of an operation: the locks it still holds, if any
  anything,
};

struct EventRow {
  std::string_view name;
  Does does = Does::nothing;  // to its resource
  Standing standing = Standing::never;
  Needs needs = Needs::nothing;
  AfterHandler after_handler = AfterHandler::goes_on;
  Reaches reaches = Reaches::nothing;
  bool expires = false;           // may happen by a deadline, which advances the clock
  bool touches_anything = false;  // without a resource it may touch anything: what is behind it is unknown
  bool pauses = false;            // tells that the operation cannot usefully continue now
  bool cancels = false;           // a wait that pthread_cancel can end
  bool of_memory = false;         // an access to an address
  bool of_descriptor = false;     // goes through the kernel
  bool beyond_state = false;      // reads or changes something that is neither in memory nor in a resource
  std::string_view awaits = {};   // what the waiting operation waits for its resource to do
};

// `gives_back` is for a lock that only its owner can release: no other operation can affect when it does so. What any
// operation may give (a semaphore, a condition) is `writes`.
inline constexpr std::array<EventRow, static_cast<std::size_t>(EventKind::kCount)> kEventTable = {{
    {.name = "start"},
    {.name = "create"},
    {.name = "join",
     .does = Does::takes,
     .standing = Standing::until_given,
     .needs = Needs::the_end,
     .expires = true,
     .cancels = true},
    {.name = "detach", .does = Does::writes},
    {.name = "cancel",
     .does = Does::reads,
     .reaches = Reaches::anything,
     .touches_anything = true,
     .beyond_state = true},
    {.name = "test_cancel"},
    {.name = "lock", .does = Does::takes, .standing = Standing::until_free, .needs = Needs::the_mutex},
    {.name = "try_lock", .does = Does::takes},
    {.name = "timed_lock",
     .does = Does::takes,
     .standing = Standing::until_free,
     .needs = Needs::the_mutex,
     .expires = true},
    {.name = "unlock", .does = Does::gives_back},
    {.name = "relock", .does = Does::takes, .standing = Standing::until_free, .needs = Needs::the_mutex},
    {.name = "read_lock", .does = Does::shares, .standing = Standing::until_free, .needs = Needs::a_share},
    {.name = "try_read_lock", .does = Does::shares},
    {.name = "timed_read_lock",
     .does = Does::shares,
     .standing = Standing::until_free,
     .needs = Needs::a_share,
     .expires = true},
    {.name = "write_lock", .does = Does::takes, .standing = Standing::until_free, .needs = Needs::the_whole_lock},
    {.name = "try_write_lock", .does = Does::takes},
    {.name = "timed_write_lock",
     .does = Does::takes,
     .standing = Standing::until_free,
     .needs = Needs::the_whole_lock,
     .expires = true},
    {.name = "read_unlock", .does = Does::gives_back},
    {.name = "write_unlock", .does = Does::gives_back},
    {.name = "wait", .does = Does::waits, .reaches = Reaches::its_mutex},
    {.name = "wake",
     .does = Does::waits,
     .standing = Standing::until_woken,
     .needs = Needs::a_wake,
     .expires = true,
     .cancels = true},
    {.name = "signal", .does = Does::writes, .reaches = Reaches::its_mutex_too},
    {.name = "broadcast", .does = Does::writes, .reaches = Reaches::its_mutex_too},
    {.name = "acquire",
     .does = Does::takes,
     .standing = Standing::until_given,
     .needs = Needs::a_unit,
     .after_handler = AfterHandler::may_restart,
     .cancels = true},
    {.name = "try_acquire", .does = Does::takes},
    {.name = "timed_acquire",
     .does = Does::takes,
     .standing = Standing::until_given,
     .needs = Needs::a_unit,
     .after_handler = AfterHandler::may_restart,
     .expires = true,
     .cancels = true},
    {.name = "release", .does = Does::writes},
    {.name = "arrive", .does = Does::writes},
    {.name = "leave", .does = Does::reads, .standing = Standing::until_woken},
    {.name = "once", .does = Does::takes, .standing = Standing::until_free, .needs = Needs::the_flag},
    {.name = "futex_wait", .does = Does::waits, .reaches = Reaches::its_word},
    {.name = "futex_sleep",
     .does = Does::waits,
     .standing = Standing::until_woken,
     .needs = Needs::a_wake,
     .after_handler = AfterHandler::may_restart_if_endless,
     .expires = true},
    {.name = "futex_wake", .does = Does::writes, .reaches = Reaches::its_word},
    {.name = "yield", .pauses = true},
    {.name = "sleep",
     .standing = Standing::until_woken,
     .needs = Needs::a_wake,
     .after_handler = AfterHandler::is_over,
     .expires = true,
     .pauses = true,
     .cancels = true},
    {.name = "read", .does = Does::reads, .touches_anything = true, .of_memory = true},
    {.name = "write", .does = Does::writes, .touches_anything = true, .of_memory = true},
    {.name = "choose", .beyond_state = true},
    {.name = "step", .does = Does::writes, .touches_anything = true},
    {.name = "wait_any",
     .does = Does::waits,
     .standing = Standing::until_woken,
     .needs = Needs::a_wake,
     .touches_anything = true,
     .beyond_state = true},
    {.name = "wait_all",
     .does = Does::waits,
     .standing = Standing::until_woken,
     .needs = Needs::a_wake,
     .touches_anything = true,
     .beyond_state = true},
    {.name = "notify", .does = Does::writes, .touches_anything = true, .beyond_state = true},
    {.name = "descriptor_read",
     .does = Does::writes,
     .standing = Standing::until_given,
     .touches_anything = true,
     .cancels = true,
     .of_descriptor = true,
     .beyond_state = true,
     .awaits = " to have input"},
    {.name = "descriptor_write",
     .does = Does::writes,
     .standing = Standing::until_given,
     .touches_anything = true,
     .cancels = true,
     .of_descriptor = true,
     .beyond_state = true,
     .awaits = " to take output"},
    {.name = "descriptor_close",
     .does = Does::ends,
     .touches_anything = true,
     .of_descriptor = true,
     .beyond_state = true},
    {.name = "file_lock",
     .does = Does::takes,
     .standing = Standing::until_given,
     .touches_anything = true,
     .cancels = true,
     .of_descriptor = true,
     .beyond_state = true,
     .awaits = ", whose file another one has locked"},
    {.name = "file_unlock",
     .does = Does::gives_back,
     .touches_anything = true,
     .of_descriptor = true,
     .beyond_state = true},
    {.name = "poll",  // when it polls several, it has no resource: its front end names each
     .does = Does::reads,
     .standing = Standing::until_given,
     .cancels = true,
     .of_descriptor = true,
     .beyond_state = true,
     .awaits = " to have input"},
    {.name = "send_signal",
     .does = Does::writes,
     .reaches = Reaches::anything,
     .touches_anything = true,
     .beyond_state = true},
    {.name = "handle_signal", .does = Does::writes, .touches_anything = true, .beyond_state = true},
    {.name = "wait_signal",
     .does = Does::waits,
     .standing = Standing::until_woken,
     .needs = Needs::a_wake,
     .after_handler = AfterHandler::is_over,
     .expires = true,
     .touches_anything = true,
     .cancels = true,
     .beyond_state = true},
    {.name = "set_signals", .does = Does::writes, .touches_anything = true, .beyond_state = true},
    {.name = "wait_child",
     .does = Does::writes,
     .standing = Standing::until_woken,
     .after_handler = AfterHandler::may_restart,
     .touches_anything = true,
     .cancels = true,
     .beyond_state = true},
    {.name = "load", .does = Does::reads, .touches_anything = true, .of_memory = true},
    {.name = "store", .does = Does::writes, .touches_anything = true, .of_memory = true},
    {.name = "update", .does = Does::writes, .touches_anything = true, .of_memory = true},
    {.name = "fence"},
    {.name = "spin",
     .does = Does::reads,
     .standing = Standing::until_woken,
     .touches_anything = true,
     .of_memory = true},
    {.name = "send", .does = Does::writes, .touches_anything = true, .beyond_state = true},
    {.name = "receive", .does = Does::writes, .touches_anything = true, .beyond_state = true},
    {.name = "exit", .does = Does::ends, .touches_anything = true},
    {.name = "end", .does = Does::ends, .reaches = Reaches::its_locks},
    {.name = "read_clock", .reaches = Reaches::clock},
    {.name = "try_join", .does = Does::takes},
    {.name = "destroy", .does = Does::ends},
    {.name = "continue", .does = Does::writes, .touches_anything = true},
}};

constexpr const EventRow& row(EventKind kind) { return kEventTable[static_cast<std::size_t>(kind)]; }

constexpr std::string_view name(EventKind kind) { return row(kind).name; }
/// The kind with this name, or kCount.
EventKind kind_named(std::string_view name);

/// The `pauses` column as two comparisons, which read no memory: every step asks for it.
constexpr bool is_pause(EventKind kind) { return kind == EventKind::yield || kind == EventKind::sleep; }
static_assert([] {
  for (std::size_t i = 0; i < kEventTable.size(); ++i)
    if (kEventTable[i].pauses != is_pause(static_cast<EventKind>(i))) return false;
  return true;
}());
constexpr bool is_of_descriptor(EventKind kind) { return row(kind).of_descriptor; }
constexpr bool only_reads(EventKind kind) { return only_looks(row(kind).does); }
constexpr bool gives_back(EventKind kind) { return row(kind).does == Does::gives_back; }
/// The `needs` column by itself: the kinds that need something are in one cache line. Every step that changes a
/// resource with waiting operations reads it.
alignas(64) inline constexpr std::array<Needs, kEventTable.size()> kNeeds = [] {
  std::array<Needs, kEventTable.size()> column{};
  for (std::size_t i = 0; i < kEventTable.size(); ++i) column[i] = kEventTable[i].needs;
  return column;
}();
constexpr Needs needs(EventKind kind) { return kNeeds[static_cast<std::size_t>(kind)]; }

/// Does the event become possible exactly when the holder of its resource releases it?
constexpr bool needs_what_can_be_held(Needs needs) {
  return needs == Needs::the_mutex || needs == Needs::a_share || needs == Needs::the_whole_lock ||
         needs == Needs::the_flag;
}
static_assert([] {  // two columns say this: one for code that knows the resource, one for code that does not
  for (const EventRow& each : kEventTable)
    if (needs_what_can_be_held(each.needs) != (each.standing == Standing::until_free)) return false;
  return true;
}());
constexpr bool touches_nothing(EventKind kind) {
  return row(kind).does == Does::nothing && !row(kind).touches_anything;
}

/// Which kinds can touch more than what they name: a column by itself, too.
inline constexpr std::array<bool, kEventTable.size()> kReachesBeyond = [] {
  std::array<bool, kEventTable.size()> column{};
  for (std::size_t i = 0; i < kEventTable.size(); ++i)
    column[i] = kEventTable[i].reaches != Reaches::nothing || kEventTable[i].expires;
  return column;
}();
constexpr bool reaches_beyond(EventKind kind) { return kReachesBeyond[static_cast<std::size_t>(kind)]; }

}  // namespace heddle::model
