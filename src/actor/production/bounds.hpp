// Bounded inboxes (RuntimeOptions::inbox_max), and what a send to a full one does.
//
// With `wait`, no worker blocks: a machine's event is put anyway, and after this action the machine gets no turn until
// there is room, as in Pony (Clebsch et al.). So an inbox can exceed its bound by what one action of each sender sends.
// A thread outside the pool does block.
//
// No machine waits for a machine that is itself waiting, so in every cycle of full inboxes one machine continues. Nor
// does a machine wait for one that has nothing to do: its inbox is full of events that it defers, and only another
// event can make it go on. So no sender waits forever, and a machine that defers without end is not bounded.
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

  /// Admits one more event for `to`. False: the event must not be put, and is not counted.
  bool admit(ProductionMachine* from, ProductionAddress& to, bool is_timer);
  /// The address now belongs to another machine.
  void open(ProductionAddress& address);
  /// Called by the worker that runs the machine, when events have left its inbox. Returns the machines that may
  /// continue, linked.
  ProductionMachine* left(ProductionAddress& address, std::uint32_t count);
  /// The machine takes no more events: machines that wait for it are released.
  ProductionMachine* closed(ProductionAddress& address);
  /// The machine has nothing to do.
  ProductionMachine* rests(ProductionAddress& address);
  /// Called after an action of `machine` that has sent to a full inbox. True: it waits, and `left` or `closed` of the
  /// other machine will return it.
  bool waits(ProductionMachine& machine);
  /// Ends all waiting.
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
  std::condition_variable room_;  // for threads outside the pool; signalled for any inbox
  bool has_ended_ = false;
};

}  // namespace heddle::actor
