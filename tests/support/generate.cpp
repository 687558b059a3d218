#include "support/generate.hpp"

#include <array>
#include <span>

namespace heddle::test {
namespace {

// What a generated operation may do next; one entry a group, so that groups are equally likely within a program.
constexpr Do kPlain[] = {Do::step, Do::read, Do::write, Do::store};
constexpr Do kMutex[] = {Do::lock, Do::lock, Do::try_lock, Do::timed_lock, Do::unlock, Do::unlock, Do::unlock};
constexpr Do kLock[] = {Do::read_lock,         Do::write_lock,        Do::try_read_lock,
                        Do::try_write_lock,    Do::timed_read_lock,   Do::timed_write_lock,
                        Do::read_write_unlock, Do::read_write_unlock, Do::read_write_unlock};
constexpr Do kSemaphore[] = {Do::acquire, Do::try_acquire, Do::timed_acquire, Do::release, Do::release};
constexpr Do kCondition[] = {Do::wait, Do::timed_wait, Do::signal, Do::broadcast};
constexpr Do kBarrier[] = {Do::arrive};
constexpr Do kPause[] = {Do::yield, Do::sleep};
constexpr Do kChoose[] = {Do::choose};
constexpr std::array<std::span<const Do>, 8> kGroups = {kPlain,     kMutex,   kLock,  kSemaphore,
                                                        kCondition, kBarrier, kPause, kChoose};

class Generator {
 public:
  Generator(Random& random, const Size& size) : random_(random), size_(size) {}

  Program program() {
    const std::uint32_t operations = 2 + random_.below(size_.operations_max - 1);
    for (std::span<const Do> group : kGroups)
      if (random_.below(3) == 0) groups_.push_back(group);
    if (groups_.empty()) groups_.push_back(kPlain);
    program_.operations.resize(operations);
    for (auto& actions : program_.operations) fill(actions);
    for (std::uint32_t child = 1; child < operations; ++child) give_birth(child);
    for (auto& actions : program_.operations)
      if (actions.empty()) actions.push_back(step());
    choose_objects();
    return complete(program_);
  }

 private:
  void fill(std::vector<Action>& actions) {
    for (std::uint32_t left = random_.below(size_.actions_max + 1); left > 0; --left) {
      const Action made = action();
      const bool waits = made.what == Do::wait || made.what == Do::timed_wait;
      if (waits && random_.below(4) != 0) actions.push_back(lock(made.other));  // else it is likely to be passed over
      actions.push_back(made);
    }
  }

  Action action() {
    const std::span<const Do> group = groups_[random_.below(static_cast<std::uint32_t>(groups_.size()))];
    Action made;
    made.what = group[random_.below(static_cast<std::uint32_t>(group.size()))];
    made.object = random_.below(size_.objects_max);
    made.other = random_.below(size_.objects_max);
    made.value = 1 + random_.below(3);
    return made;
  }

  // Somebody who was made before creates it, alone or together with the one before, and may join it later.
  void give_birth(std::uint32_t child) {
    const std::uint32_t parent = random_.below(child);
    auto& actions = program_.operations[parent];
    if (!actions.empty() && actions[0].what == Do::create && actions[0].object + actions[0].value == child &&
        random_.below(2) == 0) {
      ++actions[0].value;
      return;
    }
    const std::uint32_t at = random_.below(2) == 0 ? 0 : random_.below(static_cast<std::uint32_t>(actions.size()) + 1);
    actions.insert(actions.begin() + at, create(child));
    if (random_.below(2) == 0) return;
    const std::uint32_t after = at + 1 + random_.below(static_cast<std::uint32_t>(actions.size()) - at);
    actions.insert(actions.begin() + after, join(child));
  }

  void choose_objects() {
    for (std::uint32_t i = 0; i < size_.objects_max; ++i) {
      program_.mutexes.push_back(static_cast<model::MutexType>(random_.below(3)));
      program_.semaphores.push_back(random_.below(2));
      program_.barriers.push_back(1 + random_.below(3));
    }
  }

  Random& random_;
  Size size_;
  std::vector<std::span<const Do>> groups_;
  Program program_;
};

}  // namespace

Program generate(Random& random, const Size& size) { return Generator(random, size).program(); }

}  // namespace heddle::test
