// What kinds of events are: one row a kind. Everything that asks about a kind asks here, so a new primitive is a model,
// a front and a row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/event_kind.hpp"

namespace heddle::model {

/// What an event does to something that it touches.
enum class Does : std::uint8_t {
  nothing,
  reads,
  shares,  // takes a share of it: any number of operations can at the same time
  writes,
  takes,
  gives_back,
  waits,  // begins or ends to wait there
  makes,
  ends,
};

/// Do two events that do this to the same thing leave it alike in either order?
constexpr bool only_looks(Does does) { return does <= Does::shares; }

/// How an operation stands before an event that cannot happen now.
enum class Standing : std::uint8_t {
  never,        // it always can
  until_free,   // until the holder of its resource gives it back
  until_given,  // until its resource admits it, whoever makes it so
  until_woken,  // until a step of another operation moves it on
};

struct EventRow {
  std::string_view name;
  Does does = Does::nothing;  // to its resource
  Standing standing = Standing::never;
  bool touches_anything = false;  // if it has no resource, anything: what is behind it is not known
  bool pauses = false;            // says that the operation cannot go on usefully now
  bool cancels = false;           // a wait from which pthread_cancel takes an operation
  bool of_memory = false;         // an access to an address
  bool of_descriptor = false;     // goes through the kernel
};

// Of a lock that only its owner can give back, `gives_back`: when it does so is up to no other operation. What is given
// to any operation (a semaphore, a condition) is `writes`.
inline constexpr std::array<EventRow, static_cast<std::size_t>(EventKind::kCount)> kEventTable = {{
    {.name = "start"},
    {.name = "create"},
    {.name = "join", .does = Does::takes, .standing = Standing::until_given, .cancels = true},
    {.name = "detach", .does = Does::writes},
    {.name = "cancel", .does = Does::reads, .touches_anything = true},
    {.name = "test_cancel"},
    {.name = "lock", .does = Does::takes, .standing = Standing::until_free},
    {.name = "try_lock", .does = Does::takes},
    {.name = "timed_lock", .does = Does::takes, .standing = Standing::until_free},
    {.name = "unlock", .does = Does::gives_back},
    {.name = "relock", .does = Does::takes, .standing = Standing::until_free},
    {.name = "read_lock", .does = Does::shares, .standing = Standing::until_free},
    {.name = "try_read_lock", .does = Does::shares},
    {.name = "timed_read_lock", .does = Does::shares, .standing = Standing::until_free},
    {.name = "write_lock", .does = Does::takes, .standing = Standing::until_free},
    {.name = "try_write_lock", .does = Does::takes},
    {.name = "timed_write_lock", .does = Does::takes, .standing = Standing::until_free},
    {.name = "read_unlock", .does = Does::gives_back},
    {.name = "write_unlock", .does = Does::gives_back},
    {.name = "wait", .does = Does::waits},
    {.name = "wake", .does = Does::waits, .standing = Standing::until_woken, .cancels = true},
    {.name = "signal", .does = Does::writes},
    {.name = "broadcast", .does = Does::writes},
    {.name = "acquire", .does = Does::takes, .standing = Standing::until_given, .cancels = true},
    {.name = "try_acquire", .does = Does::takes},
    {.name = "timed_acquire", .does = Does::takes, .standing = Standing::until_given, .cancels = true},
    {.name = "release", .does = Does::writes},
    {.name = "arrive", .does = Does::writes},
    {.name = "leave", .does = Does::reads, .standing = Standing::until_woken},
    {.name = "once", .does = Does::takes, .standing = Standing::until_free},
    {.name = "futex_wait", .does = Does::waits},
    {.name = "futex_sleep", .does = Does::waits, .standing = Standing::until_woken},
    {.name = "futex_wake", .does = Does::writes},
    {.name = "yield", .pauses = true},
    {.name = "sleep", .standing = Standing::until_woken, .pauses = true, .cancels = true},
    {.name = "read", .does = Does::reads, .touches_anything = true, .of_memory = true},
    {.name = "write", .does = Does::writes, .touches_anything = true, .of_memory = true},
    {.name = "choose"},
    {.name = "step", .does = Does::writes, .touches_anything = true},
    {.name = "wait_any", .does = Does::waits, .standing = Standing::until_woken, .touches_anything = true},
    {.name = "wait_all", .does = Does::waits, .standing = Standing::until_woken, .touches_anything = true},
    {.name = "notify", .does = Does::writes, .touches_anything = true},
    {.name = "descriptor_read",
     .does = Does::writes,
     .standing = Standing::until_given,
     .touches_anything = true,
     .cancels = true,
     .of_descriptor = true},
    {.name = "descriptor_write",
     .does = Does::writes,
     .standing = Standing::until_given,
     .touches_anything = true,
     .cancels = true,
     .of_descriptor = true},
    {.name = "descriptor_close", .does = Does::ends, .touches_anything = true, .of_descriptor = true},
    {.name = "file_lock",
     .does = Does::takes,
     .standing = Standing::until_given,
     .touches_anything = true,
     .cancels = true,
     .of_descriptor = true},
    {.name = "file_unlock", .does = Does::gives_back, .touches_anything = true, .of_descriptor = true},
    {.name = "poll",
     .does = Does::reads,
     .standing = Standing::until_given,
     .touches_anything = true,
     .cancels = true,
     .of_descriptor = true},
    {.name = "send_signal", .does = Does::writes, .touches_anything = true},
    {.name = "handle_signal", .does = Does::writes, .touches_anything = true},
    {.name = "wait_signal",
     .does = Does::waits,
     .standing = Standing::until_woken,
     .touches_anything = true,
     .cancels = true},
    {.name = "set_signals", .does = Does::writes, .touches_anything = true},
    {.name = "wait_child",
     .does = Does::writes,
     .standing = Standing::until_woken,
     .touches_anything = true,
     .cancels = true},
    {.name = "load", .does = Does::reads, .touches_anything = true, .of_memory = true},
    {.name = "store", .does = Does::writes, .touches_anything = true, .of_memory = true},
    {.name = "update", .does = Does::writes, .touches_anything = true, .of_memory = true},
    {.name = "fence"},
    {.name = "spin",
     .does = Does::reads,
     .standing = Standing::until_woken,
     .touches_anything = true,
     .of_memory = true},
    {.name = "send", .does = Does::writes, .touches_anything = true},
    {.name = "receive", .does = Does::writes, .touches_anything = true},
    {.name = "exit", .does = Does::ends, .touches_anything = true},
    {.name = "end", .does = Does::ends},
    {.name = "read_clock"},
    {.name = "try_join", .does = Does::takes},
}};

constexpr const EventRow& row(EventKind kind) { return kEventTable[static_cast<std::size_t>(kind)]; }

constexpr std::string_view name(EventKind kind) { return row(kind).name; }
/// The kind with that name, or kCount.
EventKind kind_named(std::string_view name);

/// The kinds that pause as bits of a constant: every step asks, and this reads no memory.
inline constexpr std::uint64_t kPauses = [] {
  static_assert(kEventTable.size() <= 64);
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kEventTable.size(); ++i) bits |= std::uint64_t{kEventTable[i].pauses} << i;
  return bits;
}();
constexpr bool is_pause(EventKind kind) { return (kPauses >> static_cast<unsigned>(kind) & 1) != 0; }
constexpr bool is_of_descriptor(EventKind kind) { return row(kind).of_descriptor; }
constexpr bool only_reads(EventKind kind) { return only_looks(row(kind).does); }
constexpr bool gives_back(EventKind kind) { return row(kind).does == Does::gives_back; }
constexpr bool touches_nothing(EventKind kind) {
  return row(kind).does == Does::nothing && !row(kind).touches_anything;
}

}  // namespace heddle::model
