// Programs as data: for each operation a list of actions. No threads, no code to compile; thousands can be generated,
// run on the scheduler, enumerated by a naive model, and compared.
//
// Every action is one scheduling point and one step, but for a condition wait (release and wait, wake, lock again) and
// a barrier (arrive, leave). An operation stands before its first action as soon as it is created and ends with its
// last. It has one register, which a read, a choice, a try and a timed action write.
//
// What an operation does not have it does not give back: an unlock of something that it does not hold, or a wait with a
// mutex that it does not hold, is passed over without a step. So `try_lock(0), write(0, 1), unlock(0)` is
// `got = try_lock(m); x = 1; if (got) unlock(m);`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/event.hpp"
#include "model/mutex.hpp"
#include "model/resource.hpp"

namespace heddle::test {

using Memory = std::vector<std::int64_t>;
using Check = bool (*)(const Memory& memory);

enum class Do : std::uint8_t {
  step,
  read,        // register = memory[object]
  write,       // memory[object] = value
  store,       // memory[object] = register + value
  copy,        // reads memory[object]; memory[other], which nobody else looks at, becomes that
  check,       // fails the program unless checks[object] holds
  loop_until,  // reads memory[object]; unless it is `value`, goes back to action `other`
  lock,
  try_lock,
  timed_lock,  // value: for how long
  unlock,
  read_lock,
  try_read_lock,
  timed_read_lock,
  write_lock,
  try_write_lock,
  timed_write_lock,
  read_write_unlock,
  acquire,
  try_acquire,
  timed_acquire,
  release,
  wait,  // for condition `object` with mutex `other`
  timed_wait,
  signal,
  broadcast,
  arrive,
  create,  // operations object … object+value-1, in one step
  join,    // operation `object` of the program
  yield,
  sleep,
  choose,  // register = a value below `value`
  kCount
};

/// What an action is, apart from what it does.
struct Meaning {
  std::string_view name;
  model::EventKind event;
  model::ResourceKind object = model::ResourceKind::kCount;  // kCount: none
};
const Meaning& meaning(Do what);

struct Action {
  Do what = Do::step;
  std::uint32_t object = 0;
  std::uint32_t value = 0;
  std::uint32_t other = 0;
  bool operator==(const Action&) const = default;
};

inline Action step() { return {Do::step}; }
inline Action read(std::uint32_t x) { return {Do::read, x}; }
inline Action write(std::uint32_t x, std::uint32_t value) { return {Do::write, x, value}; }
inline Action store(std::uint32_t x, std::uint32_t plus) { return {Do::store, x, plus}; }
inline Action copy(std::uint32_t x, std::uint32_t to) { return {Do::copy, x, 0, to}; }
inline Action check(std::uint32_t which) { return {Do::check, which}; }
inline Action loop_until(std::uint32_t x, std::uint32_t value, std::uint32_t back_to) {
  return {Do::loop_until, x, value, back_to};
}
inline Action lock(std::uint32_t m) { return {Do::lock, m}; }
inline Action try_lock(std::uint32_t m) { return {Do::try_lock, m}; }
inline Action timed_lock(std::uint32_t m, std::uint32_t for_ns) { return {Do::timed_lock, m, for_ns}; }
inline Action unlock(std::uint32_t m) { return {Do::unlock, m}; }
inline Action read_lock(std::uint32_t l) { return {Do::read_lock, l}; }
inline Action write_lock(std::uint32_t l) { return {Do::write_lock, l}; }
inline Action read_write_unlock(std::uint32_t l) { return {Do::read_write_unlock, l}; }
inline Action acquire(std::uint32_t s) { return {Do::acquire, s}; }
inline Action release(std::uint32_t s) { return {Do::release, s}; }
inline Action wait(std::uint32_t condition, std::uint32_t m) { return {Do::wait, condition, 0, m}; }
inline Action timed_wait(std::uint32_t condition, std::uint32_t m, std::uint32_t for_ns) {
  return {Do::timed_wait, condition, for_ns, m};
}
inline Action signal(std::uint32_t condition) { return {Do::signal, condition}; }
inline Action broadcast(std::uint32_t condition) { return {Do::broadcast, condition}; }
inline Action arrive(std::uint32_t barrier) { return {Do::arrive, barrier}; }
inline Action create(std::uint32_t first, std::uint32_t count = 1) { return {Do::create, first, count}; }
inline Action join(std::uint32_t operation) { return {Do::join, operation}; }
inline Action yield() { return {Do::yield}; }
inline Action sleep(std::uint32_t for_ns) { return {Do::sleep, 0, for_ns}; }
inline Action choose(std::uint32_t bound) { return {Do::choose, 0, bound}; }

struct Program {
  std::vector<std::vector<Action>> operations;  // the first is main; the others begin when they are created
  std::vector<Check> checks = {};
  Memory memory = {};
  std::vector<model::MutexType> mutexes = {};
  std::vector<std::uint32_t> semaphores = {};  // initial values
  std::vector<std::uint32_t> barriers = {};    // parties
  std::uint32_t conditions = 0;
  std::uint32_t read_write_locks = 0;
  bool one_place_a_kind = false;  // actions of one kind have the same place in the code, as if one loop ran them all
};

/// Makes room for every object that an action names: memory is 0, mutexes normal, semaphores 0, barriers for two.
Program complete(Program program);

/// For messages of tests that fail.
std::string to_string(const Program& program);

}  // namespace heddle::test
