// What counts as new: the signal by which a strategy with feedback knows that an execution showed something that none
// has before.
//
//   reads_from  pairs of events, one of which read from the other (reads_from.hpp)
//   order       the order of dependent steps as a whole (order_class.hpp)
//   states      states of the program, where there was something to choose (state_hash.hpp)
//   locks       pairs of locks, one of which was wanted while the other was held (held_locks.hpp)
//   user        what the program showed with heddle::observe, where there was something to choose
//
// Everything that is shown has a key of 64 bits. An execution's signature is a hash of the set of its keys: executions
// that showed the same have the same. Of what was seen, as much is kept as recollection.hpp says; what is forgotten is
// new again.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/hash.hpp"
#include "strategy/feedback/reads_from.hpp"
#include "strategy/strategy.hpp"
#include "strategy/support/held_locks.hpp"
#include "strategy/support/names.hpp"
#include "strategy/support/order_class.hpp"
#include "strategy/support/recollection.hpp"
#include "strategy/support/state_hash.hpp"

namespace heddle::strategy {

enum class Signal : std::uint8_t { reads_from, order, states, locks, user };
inline constexpr std::string_view kSignalNames[] = {"reads_from", "order", "states", "locks", "user"};

class CoverageSignal {
 public:
  explicit CoverageSignal(Signal signal)
      : signal_(signal), state_(signal == Signal::user ? StateHash::Look::own : StateHash::Look::all) {}

  void begin() {
    stamp_ = stamp_ == kStamps ? 1 : stamp_ + 1;
    is_new_ = false;
    signature_ = 0;
    order_.begin();
    state_.begin();
    resources_.begin();
    held_.begin();
  }

  /// Does `step` need to know who reads from whom?
  bool wants_pairs() const { return signal_ == Signal::reads_from; }

  MachinesShow machines_show() const { return looks_at_states() ? MachinesShow::everything : MachinesShow::nothing; }

  /// Two or more can go on.
  void choice(const ScheduleView& view) {
    if (looks_at_states()) show(state_.value(view));
  }

  /// `who` takes its step, and ReadsFrom::step says this of it. True: the step shows something new.
  bool step(const ScheduleView& view, OperationId who, const ReadsFrom::Pair& pair) {
    if (signal_ != Signal::reads_from) return look_at(view, who);
    return pair.event != ReadsFrom::kNothing && show(pair.key());
  }

  void value(const ScheduleView& view, std::uint32_t value) {
    if (signal_ == Signal::order) order_.on_value(view, value);
  }

  /// The execution is over. Did it show anything new?
  bool end() {
    if (signal_ == Signal::order) show(order_.value());
    seen_.forget();
    return is_new_;
  }

  std::uint64_t signature() const { return signature_; }

 private:
  static constexpr std::uint32_t kStamps = (1u << 24) - 1;  // which a float holds exactly

  bool looks_at_states() const { return signal_ == Signal::states || signal_ == Signal::user; }

  // Out of line: most steps do not come here.
  [[gnu::noinline]] bool look_at(const ScheduleView& view, OperationId who) {
    if (signal_ == Signal::locks) return look_at_locks(view, who);
    if (signal_ == Signal::order)
      order_.on_step(view, who);
    else
      state_.step(view, who);
    return false;
  }

  [[gnu::noinline]] bool show(std::uint64_t key) {
    float& last = seen_[seen_.find(key)];
    if (last == static_cast<float>(stamp_)) return false;
    const bool is_new = last == 0;
    is_new_ |= is_new;
    last = static_cast<float>(stamp_);
    signature_ += mix(key + 1);
    return is_new;
  }

  bool look_at_locks(const ScheduleView& view, OperationId who) {
    bool is_new = false;
    const model::Event& next = view.next(who);
    if (HeldLocks::is_taken(view, next)) {
      const std::uint32_t wanted = resources_(view, next.resource);
      held_.for_each(view, who, [&](ResourceId lock) {
        if (lock != next.resource) is_new |= show(std::uint64_t{resources_(view, lock)} << 32 | wanted);
      });
    }
    held_.step(view, who);
    return is_new;
  }

  Signal signal_;
  Recollection seen_{0};     // keys, and the stamp of the execution that showed them last
  std::uint32_t stamp_ = 0;  // of this execution
  bool is_new_ = false;
  std::uint64_t signature_ = 0;
  OrderClass order_;
  StateHash state_;
  ResourceNames resources_;
  HeldLocks held_;
};

}  // namespace heddle::strategy
