// Where senders put the events of one machine: a stack of blocks without locks, which its machine takes whole and turns
// round, so that events come out in the order in which they were put.
//
// The top says as well how the machine is: at rest, so that who puts the first event is the one that wakes it, and
// nobody else does; or closed, until it is opened for another machine. One compare-and-swap a send, one exchange for
// all that has come.
//
// The order in which events are put is one for all senders, and a send has put its event when it returns: so what one
// machine sends to another arrives in that order, and an event comes before those that it led to.
#pragma once

#include <atomic>
#include <cstdint>

#include "heddle/actor/event.hpp"

namespace heddle::actor {

class Mailbox {
 public:
  enum class Put : std::uint8_t { queued, woke, closed };

  /// `woke`: the machine was at rest, and the caller sees to it that it runs. `closed`: the caller keeps the block.
  Put put(EventBox* box) noexcept {
    EventBox* top = top_.load(std::memory_order_acquire);
    do {
      if (top == closed()) [[unlikely]]
        return Put::closed;
      box->next.store(top == rests() ? nullptr : top, std::memory_order_relaxed);
    } while (!top_.compare_exchange_weak(top, box, std::memory_order_acq_rel, std::memory_order_acquire));
    return top == rests() ? Put::woke : Put::queued;
  }

  bool is_at_rest() const noexcept { return top_.load(std::memory_order_seq_cst) == rests(); }

  // By the machine, or who runs it.

  /// All that has come, the oldest first, linked; null: nothing.
  EventBox* take() noexcept {
    if (top_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    return turned(top_.exchange(nullptr, std::memory_order_acquire));
  }
  /// False: something has come.
  bool rest() noexcept {
    EventBox* nothing = nullptr;
    return top_.compare_exchange_strong(nothing, rests(), std::memory_order_seq_cst, std::memory_order_relaxed);
  }
  /// Takes what has come, and nothing comes any more.
  EventBox* close() noexcept {
    EventBox* const top = top_.exchange(closed(), std::memory_order_acq_rel);
    return top == rests() || top == closed() ? nullptr : turned(top);
  }
  /// For a machine that runs, or is about to.
  void open() noexcept { top_.store(nullptr, std::memory_order_release); }

 private:
  static EventBox* turned(EventBox* latest) noexcept {
    EventBox* oldest = nullptr;
    while (latest != nullptr) {
      EventBox* const before = latest->next.load(std::memory_order_relaxed);
      latest->next.store(oldest, std::memory_order_relaxed);
      oldest = latest;
      latest = before;
    }
    return oldest;
  }
  static EventBox* rests() { return reinterpret_cast<EventBox*>(1); }
  static EventBox* closed() { return reinterpret_cast<EventBox*>(2); }

  std::atomic<EventBox*> top_{nullptr};  // null: the machine runs or is about to, and nothing has come since it looked
};

}  // namespace heddle::actor
