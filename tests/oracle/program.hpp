// Small concurrent programs as data, for the oracle: POSIX calls by name, on a handful of objects.
//
// A program is given a meaning three times: by all interleavings of a naive interpreter (naive.hpp), by real threads
// inside heddle (explored.hpp), and by real threads in a program of its own under `heddle run` (whole.cpp). Nothing
// here knows heddle.
//
// Every thread has one register, which the value that an instruction returns overwrites; each value is also kept, so
// that the outcome of an execution tells what every call returned. An instruction that would be undefined is passed
// over: an unlock of what the thread does not hold, a wait without the mutex, a join by any thread but the creator.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::oracle {

inline constexpr int kThreads = 4;  // with main, which is T0
inline constexpr int kLength = 14;  // instructions of a thread
inline constexpr int kObjects = 2;  // of each kind

enum class Op : std::uint8_t {
  load,       // register = memory[a]
  store,      // memory[a] = b
  add,        // memory[a] = register + b
  choose,     // register = any value below a
  skip_if,    // if the register is b: passes over the next a instructions; not a step
  assert_is,  // fails the program unless the register is a
  yield,
  sleep,
  now,      // reads the clock, into a place of the thread's own
  publish,  // times[a] = what the thread read last
  later,    // register = is what the thread read last later than times[a]?
  lock,
  try_lock,
  timed_lock,
  unlock,
  consistent,
  spin_lock,
  spin_try,
  spin_unlock,
  read_lock,
  try_read,
  timed_read,
  write_lock,
  try_write,
  timed_write,
  rw_unlock,
  acquire,
  try_acquire,
  timed_acquire,
  post,
  value_of,
  wait,  // for condition a with mutex b
  timed_wait,
  signal,
  broadcast,
  arrive,
  once,        // its routine is a step of its own: memory[a] = kOnce + thread
  futex_wait,  // on word a while it is b
  futex_timed_wait,
  futex_wake,  // b sleepers of word a
  futex_set,   // word a = b
  create,      // thread a
  join,
  try_join,
  timed_join,
  detach,
  cancel,
  test_cancel,
  cancel_state,  // a = 1: disabled; not a step
  leave,         // pthread_exit
  exit,          // with code a
  immediate_exit,
  quick_exit,
  abort,
  kCount
};

struct Instruction {
  Op op = Op::yield;
  std::uint8_t a = 0;
  std::uint8_t b = 0;
  auto operator<=>(const Instruction&) const = default;
};

enum class MutexKind : std::uint8_t { normal, recursive, checking, robust };

/// May a thread unlock one that it does not hold, to be told EPERM? By POSIX a robust one says so too, but glibc
/// crashes when it unlocks one that it could not recover.
constexpr bool tells_strangers(MutexKind kind) { return kind == MutexKind::recursive || kind == MutexKind::checking; }

struct Program {
  std::vector<std::vector<Instruction>> threads;  // the first is main; each other one is created at most once
  std::array<MutexKind, kObjects> mutexes = {};
  std::array<std::uint8_t, kObjects> semaphores = {};    // initial values
  std::array<std::uint8_t, kObjects> barriers = {2, 2};  // parties
  bool whole = false;                                    // a process: it ends when main returns
};

// What calls return is kept as errno values, and these.
inline constexpr int kNotRun = -99;     // the instruction was not executed
inline constexpr int kSerial = -1;      // of a barrier
inline constexpr int kCancelled = 199;  // of a join: the thread was cancelled
inline constexpr int kJoined = 200;     // of a join: plus what the thread returned, the value of its register
inline constexpr int kOnce = 60;

enum class End : std::uint8_t { ok, deadlock, assertion, exited, aborted, other };

/// How an execution ended. Only one that came to its end has values: in the others it is left to the schedule how far
/// the other threads came.
struct Outcome {
  End end = End::ok;
  std::int16_t thread = 0;           // of an assertion
  std::int16_t detail = 0;           // the instruction of an assertion; the code of an exit
  std::vector<std::int16_t> values;  // of each thread, what each instruction returned; then the memory
  auto operator<=>(const Outcome&) const = default;
};
using Outcomes = std::set<Outcome>;

std::string_view name(Op op);
bool uses(const Program& program, std::initializer_list<Op> ops);
std::size_t size(const Program& program);

/// A line of objects, then a line for each thread: `T1: lock 0, wait 0 0, unlock 0`. `parse` reads it back; a semicolon
/// will do for a line break.
std::string to_text(const Program& program);
std::optional<Program> parse(std::string_view text);
std::string to_text(const Program& program, const Outcome& outcome);

}  // namespace heddle::oracle
