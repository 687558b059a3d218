#include "oracle/generate.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>

namespace heddle::oracle {
namespace {

constexpr std::string_view kNames[] = {"memory",     "mutexes",    "robust",   "spins",   "locks",
                                       "semaphores", "conditions", "barriers", "futexes", "lives",
                                       "cancel",     "time",       "clocks",   "endings", "all"};

// What occurs twice is chosen twice as often.
constexpr Op kMemory[] = {Op::load, Op::load, Op::store, Op::add, Op::choose, Op::lock, Op::skip_if};
constexpr Op kMutexes[] = {Op::lock,       Op::lock,   Op::try_lock, Op::try_lock,
                           Op::timed_lock, Op::unlock, Op::add,      Op::load};
constexpr Op kRobust[] = {Op::lock,       Op::lock,       Op::try_lock, Op::try_lock,
                          Op::timed_lock, Op::consistent, Op::unlock,   Op::store};
constexpr Op kSpins[] = {Op::spin_lock, Op::spin_lock, Op::spin_try, Op::spin_try,
                         Op::lock,      Op::try_lock,  Op::load,     Op::store};
constexpr Op kLocks[] = {Op::read_lock, Op::read_lock,  Op::write_lock,  Op::write_lock, Op::try_read,
                         Op::try_write, Op::timed_read, Op::timed_write, Op::lock,       Op::store};
constexpr Op kSemaphores[] = {Op::acquire, Op::acquire, Op::try_acquire, Op::timed_acquire,
                              Op::post,    Op::post,    Op::value_of,    Op::lock};
constexpr Op kConditions[] = {Op::wait,      Op::wait,     Op::timed_wait, Op::signal, Op::signal,
                              Op::broadcast, Op::try_lock, Op::lock,       Op::store,  Op::load};
constexpr Op kBarriers[] = {Op::arrive, Op::arrive, Op::once, Op::once, Op::load, Op::store, Op::try_lock};
constexpr Op kFutexes[] = {Op::futex_wait, Op::futex_wait, Op::futex_timed_wait, Op::futex_wake, Op::futex_wake,
                           Op::futex_set,  Op::lock,       Op::try_lock};
constexpr Op kLives[] = {Op::store, Op::store, Op::load, Op::load, Op::lock, Op::post, Op::leave, Op::yield};
constexpr Op kCancel[] = {Op::test_cancel,  Op::acquire, Op::timed_acquire, Op::wait,  Op::timed_wait, Op::sleep,
                          Op::cancel_state, Op::post,    Op::signal,        Op::store, Op::load,       Op::try_lock};
constexpr Op kTime[] = {Op::yield, Op::yield, Op::sleep, Op::timed_acquire, Op::post, Op::load, Op::store};
constexpr Op kClocks[] = {Op::now,   Op::now,   Op::now,  Op::publish, Op::publish,
                          Op::later, Op::later, Op::load, Op::store};
constexpr Op kEndings[] = {Op::exit, Op::immediate_exit, Op::quick_exit, Op::abort, Op::assert_is, Op::load,
                           Op::load, Op::store,          Op::store,      Op::lock,  Op::skip_if};
constexpr Op kAll[] = {Op::load,         Op::store,      Op::add,        Op::choose,     Op::yield,     Op::sleep,
                       Op::lock,         Op::try_lock,   Op::timed_lock, Op::consistent, Op::spin_lock, Op::spin_try,
                       Op::read_lock,    Op::write_lock, Op::try_write,  Op::timed_read, Op::acquire,   Op::post,
                       Op::try_acquire,  Op::value_of,   Op::wait,       Op::timed_wait, Op::signal,    Op::broadcast,
                       Op::arrive,       Op::once,       Op::futex_wait, Op::futex_wake, Op::futex_set, Op::test_cancel,
                       Op::cancel_state, Op::skip_if,    Op::assert_is,  Op::now,        Op::later,     Op::publish};

std::span<const Op> palette(Theme theme) {
  static constexpr std::span<const Op> kPalettes[] = {kMemory,     kMutexes,    kRobust,   kSpins,   kLocks,
                                                      kSemaphores, kConditions, kBarriers, kFutexes, kLives,
                                                      kCancel,     kTime,       kClocks,   kEndings, kAll};
  return kPalettes[static_cast<std::size_t>(theme)];
}

class Generator {
 public:
  Generator(Theme theme, std::uint64_t seed, bool whole)
      : theme_(theme), random_(seed * static_cast<std::uint64_t>(Theme::kCount) + static_cast<std::uint64_t>(theme)) {
    program_.whole = whole;
  }

  Program make() {
    make_objects();
    program_.threads.resize(2 + below(2) + (below(4) == 0 ? 1u : 0u));
    for (std::size_t i = 0; i < program_.threads.size(); ++i) {
      current_ = &program_.threads[i];
      if (i == 0) create_threads();
      fill(i == 0 ? below(3) : 1 + below(4));
      if (i == 0) end_threads();
    }
    return program_;
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  /// Mostly the first: what threads do to different objects shows nothing.
  std::uint8_t object() {
    const bool needs_one = theme_ == Theme::time || theme_ == Theme::clocks;
    return static_cast<std::uint8_t>(below(needs_one ? 8 : 3) == 0 ? 1 : 0);
  }
  bool has_room() const { return current_->size() + 5 < kLength; }
  void add(Op op, std::uint8_t a = 0, std::uint8_t b = 0) { current_->push_back({op, a, b}); }

  void make_objects() {
    for (MutexKind& kind : program_.mutexes) {
      if (theme_ == Theme::robust)
        kind = below(4) == 0 ? MutexKind::normal : MutexKind::robust;
      else if (theme_ == Theme::mutexes || theme_ == Theme::conditions || theme_ == Theme::all)
        kind = below(2) == 0 ? MutexKind::normal : static_cast<MutexKind>(below(4));
    }
    for (std::uint8_t& value : program_.semaphores) value = static_cast<std::uint8_t>(below(2));
    program_.barriers = {2, static_cast<std::uint8_t>(2 + below(2))};
  }

  void create_threads() {
    for (std::uint8_t i = 1; i < program_.threads.size(); ++i) {
      add(Op::create, i);
      if (below(6) == 0) fill(1);
    }
  }

  /// What main does about the others when it has done its own part.
  void end_threads() {
    for (std::uint8_t i = 1; i < program_.threads.size(); ++i) {
      if (theme_ == Theme::cancel && below(3) != 0) add(Op::cancel, i);
      if ((theme_ == Theme::lives || theme_ == Theme::all) && below(2) == 0)
        add(below(2) == 0 ? Op::try_join : Op::timed_join, i);
      if (has_room() && below(5) == 0) fill(1);
      if (program_.whole && below(3) != 0) continue;
      add(theme_ == Theme::lives && below(4) == 0 ? Op::detach : Op::join, i);
    }
    if (program_.whole && below(4) == 0) add(Op::leave);
    if (has_room() && theme_ == Theme::robust) add(Op::try_lock, 0);
    if (has_room() && theme_ == Theme::cancel && below(2) == 0) add(Op::try_lock, 0);
  }

  void fill(std::uint32_t count) {
    const std::span<const Op> ops = palette(theme_);
    std::vector<Instruction> to_undo;
    for (std::uint32_t i = 0; i < count && has_room(); ++i) {
      add_one(ops[below(static_cast<std::uint32_t>(ops.size()))], to_undo);
      if (program_.whole && has_room() && below(2) == 0) tell_by_exit();
      if (!to_undo.empty() && below(3) == 0) undo(to_undo);
    }
    while (!to_undo.empty() && has_room() && below(8) != 0) undo(to_undo);  // now and then a lock is not given back
  }

  /// Of a process only its code is seen: the value of the register decides whether it ends here.
  void tell_by_exit() {
    add(Op::skip_if, 1, static_cast<std::uint8_t>(below(2)));
    add(below(2) == 0 ? Op::exit : Op::immediate_exit, static_cast<std::uint8_t>(2 + below(4)));
  }

  void undo(std::vector<Instruction>& to_undo) {
    current_->push_back(to_undo.back());
    to_undo.pop_back();
  }

  void add_one(Op op, std::vector<Instruction>& to_undo) {
    const std::uint8_t a = object();
    switch (op) {
      case Op::store:
      case Op::add:
      case Op::futex_set:
        return add(op, a, static_cast<std::uint8_t>(1 + below(2)));
      case Op::choose:
        return program_.whole ? add(Op::load, a) : add(op, 2);  // a plain program has no choices to ask for
      case Op::skip_if:
        return add(op, 1, static_cast<std::uint8_t>(below(2)));
      case Op::assert_is:
        return add(op, static_cast<std::uint8_t>(below(2)));
      case Op::exit:
      case Op::immediate_exit:
      case Op::quick_exit:
        return add(op, static_cast<std::uint8_t>(below(4)));
      case Op::futex_wait:
      case Op::futex_timed_wait:
        return add(op, a, 0);
      case Op::futex_wake:
        return add(op, a, static_cast<std::uint8_t>(1 + below(2)));
      case Op::cancel_state:
        return add(op, static_cast<std::uint8_t>(below(2)));
      case Op::wait:
      case Op::timed_wait: {
        const std::uint8_t mutex = below(6) == 0 ? 1 : 0;
        const Instruction given_back{Op::unlock, mutex};
        if (std::find(to_undo.begin(), to_undo.end(), given_back) == to_undo.end()) {
          add(Op::lock, mutex);
          to_undo.push_back(given_back);
        }
        return add(op, 0, mutex);
      }
      default:
        add(op, a);
        if (const Op inverse = inverse_of(op); inverse != Op::kCount) to_undo.push_back({inverse, a});
        return;
    }
  }

  static Op inverse_of(Op op) {
    if (op == Op::lock || op == Op::try_lock || op == Op::timed_lock) return Op::unlock;
    if (op == Op::spin_lock || op == Op::spin_try) return Op::spin_unlock;
    if (op >= Op::read_lock && op <= Op::timed_write) return Op::rw_unlock;
    return Op::kCount;
  }

  const Theme theme_;
  std::mt19937_64 random_;
  Program program_;
  std::vector<Instruction>* current_ = nullptr;
};

}  // namespace

std::string_view name(Theme theme) { return kNames[static_cast<std::size_t>(theme)]; }
Program generate(Theme theme, std::uint64_t seed) { return Generator(theme, seed, false).make(); }
Program generate_whole(Theme theme, std::uint64_t seed) { return Generator(theme, seed, true).make(); }

}  // namespace heddle::oracle
