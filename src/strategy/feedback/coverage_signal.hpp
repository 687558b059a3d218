// Decides what counts as new. A feedback strategy uses this signal to tell that an execution showed something that no
// earlier one did.
//
//   reads_from  pairs of events, one of which read from the other (reads_from.hpp)
//   order       the order of dependent steps as a whole (order_class.hpp)
//   states      states of the program at choices (state_hash.hpp)
//   locks       pairs of locks, one of which was wanted while the other was held (held_locks.hpp)
//   user        what the program showed with heddle::observe, at choices
//
// Everything shown has a 64-bit key. The signature of an execution is a hash of the set of its keys, so executions that
// showed the same have the same signature. recollection.hpp bounds how much is remembered; what is forgotten counts as
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

  /// Does `step` need reads-from pairs?
  bool wants_pairs() const { return signal_ == Signal::reads_from; }

  MachinesShow machines_show() const { return looks_at_states() ? MachinesShow::everything : MachinesShow::nothing; }

  /// Two or more operations can go on.
  void choice(const ScheduleView& view) {
    if (looks_at_states()) show(state_.value(view));
  }

  /// `who` takes its step; `pair` is the result of ReadsFrom::step. Returns true if the step shows something new.
  bool step(const ScheduleView& view, OperationId who, const ReadsFrom::Pair& pair) {
    if (signal_ != Signal::reads_from) return look_at(view, who);
    return pair.event != ReadsFrom::kNothing && show(pair.key());
  }

  /// Does the signal need the footprints of steps? If so, `stepped` receives them.
  bool wants_footprints() const { return signal_ == Signal::order; }
  void stepped(OperationId who, const model::Footprint& footprint) { order_.on_stepped(who, footprint); }

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
  static constexpr std::uint32_t kStamps = (1u << 24) - 1;  // a float holds these exactly

  bool looks_at_states() const { return signal_ == Signal::states || signal_ == Signal::user; }

  // Out of line: most steps do not get here.
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
  Recollection seen_{0};     // keys, with the stamp of the last execution that showed each
  std::uint32_t stamp_ = 0;  // of this execution
  bool is_new_ = false;
  std::uint64_t signature_ = 0;
  OrderClass order_;
  StateHash state_;
  ResourceNames resources_;
  HeldLocks held_;
};

}  // namespace heddle::strategy
