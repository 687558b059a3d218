// Bounded inboxes (RuntimeOptions::inbox_max), and what a send to a full one does.
//
// `wait` makes no worker wait: the event of a machine is put all the same, and the machine gets no turn after this
// action until there is room, as in Pony (Clebsch et al.). So an inbox can exceed its bound by what one action of each
// sender sends. A thread outside does wait.
//
// No machine waits for one that waits itself, so of every circle of full inboxes one goes on; nor for one that has
// nothing to do, whose inbox is full of events that it defers, and which only another event can help. So nobody waits
// for ever, and a machine that defers without end is not bounded.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

#include "actor/production/machine.hpp"
#include "heddle/actor/runtime.hpp"

namespace heddle::actor {

class Bounds {
 public:
  explicit Bounds(const RuntimeOptions& options) : inbox_max_(options.inbox_max), when_full_(options.when_full) {}

  bool are_set() const noexcept { return inbox_max_ != 0; }
  std::uint32_t inbox_max() const noexcept { return inbox_max_; }
  RuntimeOptions::WhenFull when_full() const noexcept { return when_full_; }

  /// One event more for `to`. False: it is not to be put, and is not counted.
  bool admit(ProductionMachine* from, ProductionAddress& to, bool is_timer);
  /// The address is that of another machine now.
  void open(ProductionAddress& address);
  /// By who runs the machine, when events have left its inbox. Those who may go on, linked.
  ProductionMachine* left(ProductionAddress& address, std::uint32_t count);
  /// It takes no more: whoever waits for it need not.
  ProductionMachine* closed(ProductionAddress& address);
  /// It has nothing to do.
  ProductionMachine* rests(ProductionAddress& address);
  /// After an action of `machine` that has sent to a full inbox. True: it waits, and is among those that `left` or
  /// `closed` of the other give.
  bool waits(ProductionMachine& machine);
  /// Nobody waits any more.
  void end();

 private:
  bool hold_if_room(ProductionAddress& address) const noexcept;
  bool is_full(const ProductionAddress& address) const {
    return address.held.load(std::memory_order_seq_cst) >= inbox_max_;
  }
  void wait_outside(ProductionAddress& to);
  ProductionMachine* free_waiting(ProductionAddress& address);

  const std::uint32_t inbox_max_;
  const RuntimeOptions::WhenFull when_full_;
  std::mutex mutex_;
  std::condition_variable room_;  // somewhere, for threads outside
  bool has_ended_ = false;
};

}  // namespace heddle::actor
