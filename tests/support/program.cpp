#include "support/program.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace heddle::test {
namespace {

using model::EventKind;
using model::ResourceKind;

// In the order of Do.
constexpr std::array<Meaning, static_cast<std::size_t>(Do::kCount)> kMeanings = {{
    {"step", EventKind::step},
    {"read", EventKind::read, ResourceKind::variable},
    {"write", EventKind::write, ResourceKind::variable},
    {"store", EventKind::write, ResourceKind::variable},
    {"copy", EventKind::read, ResourceKind::variable},
    {"check", EventKind::step},
    {"loop_until", EventKind::read, ResourceKind::variable},
    {"lock", EventKind::lock, ResourceKind::mutex},
    {"try_lock", EventKind::try_lock, ResourceKind::mutex},
    {"timed_lock", EventKind::timed_lock, ResourceKind::mutex},
    {"unlock", EventKind::unlock, ResourceKind::mutex},
    {"read_lock", EventKind::read_lock, ResourceKind::read_write_lock},
    {"try_read_lock", EventKind::try_read_lock, ResourceKind::read_write_lock},
    {"timed_read_lock", EventKind::timed_read_lock, ResourceKind::read_write_lock},
    {"write_lock", EventKind::write_lock, ResourceKind::read_write_lock},
    {"try_write_lock", EventKind::try_write_lock, ResourceKind::read_write_lock},
    {"timed_write_lock", EventKind::timed_write_lock, ResourceKind::read_write_lock},
    {"read_write_unlock", EventKind::read_unlock, ResourceKind::read_write_lock},
    {"acquire", EventKind::acquire, ResourceKind::semaphore},
    {"try_acquire", EventKind::try_acquire, ResourceKind::semaphore},
    {"timed_acquire", EventKind::timed_acquire, ResourceKind::semaphore},
    {"release", EventKind::release, ResourceKind::semaphore},
    {"wait", EventKind::wait, ResourceKind::condition},
    {"timed_wait", EventKind::wait, ResourceKind::condition},
    {"signal", EventKind::signal, ResourceKind::condition},
    {"broadcast", EventKind::broadcast, ResourceKind::condition},
    {"arrive", EventKind::arrive, ResourceKind::barrier},
    {"create", EventKind::create, ResourceKind::operation},
    {"join", EventKind::join, ResourceKind::operation},
    {"yield", EventKind::yield},
    {"sleep", EventKind::sleep},
    {"choose", EventKind::choose},
}};

template <typename T>
void grow(std::vector<T>& objects, std::uint32_t used, const T& initial) {
  if (objects.size() <= used) objects.resize(used + 1, initial);
}

void make_room(Program& program, const Action& action) {
  if (action.what == Do::wait || action.what == Do::timed_wait)
    grow(program.mutexes, action.other, model::MutexType::normal);
  if (action.what == Do::copy) grow(program.memory, action.other, std::int64_t{0});
  switch (meaning(action.what).object) {
    case ResourceKind::variable:
      return grow(program.memory, action.object, std::int64_t{0});
    case ResourceKind::mutex:
      return grow(program.mutexes, action.object, model::MutexType::normal);
    case ResourceKind::semaphore:
      return grow(program.semaphores, action.object, 0u);
    case ResourceKind::barrier:
      return grow(program.barriers, action.object, 2u);
    case ResourceKind::condition:
      program.conditions = std::max(program.conditions, action.object + 1);
      return;
    case ResourceKind::read_write_lock:
      program.read_write_locks = std::max(program.read_write_locks, action.object + 1);
      return;
    default:
      return;
  }
}

}  // namespace

const Meaning& meaning(Do what) { return kMeanings[static_cast<std::size_t>(what)]; }

Program complete(Program program) {
  for (const auto& actions : program.operations)
    for (const Action& action : actions) make_room(program, action);
  return program;
}

std::string to_string(const Program& program) {
  std::string text;
  for (std::size_t i = 0; i < program.operations.size(); ++i) {
    text += "\n  P" + std::to_string(i) + ":";
    for (const Action& action : program.operations[i]) {
      text += " " + std::string(meaning(action.what).name) + "(" + std::to_string(action.object);
      text += "," + std::to_string(action.value) + "," + std::to_string(action.other) + ")";
    }
  }
  return text;
}

}  // namespace heddle::test
