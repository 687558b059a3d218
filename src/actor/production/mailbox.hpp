// Where senders put the events of one machine: a lock-free stack of blocks. The machine takes the whole stack and
// reverses it, so that events come out in the order in which they were put.
//
// The top also encodes the state of the machine. At rest: the sender that puts the first event, and no other, wakes it.
// Closed: it takes nothing until it is opened for another machine. A send costs one compare-and-swap, and taking all
// arrived events one exchange.
//
// All senders put events in one total order, and a send has put its event when it returns. So events from one machine
// to another arrive in the order of sending, and an event arrives before those that it led to.
#pragma once

#include <atomic>
#include <cstdint>

#include "heddle/actor/event.hpp"

namespace heddle::actor {

class Mailbox {
 public:
  enum class Put : std::uint8_t { queued, woke, closed };

  /// `woke`: the machine was at rest, and the caller must make it run. `closed`: the caller keeps the block.
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

  // Called by the machine, or by the worker that runs it.

  /// All arrived events, oldest first, linked; null: none.
  EventBox* take() noexcept {
    if (top_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    return turned(top_.exchange(nullptr, std::memory_order_acquire));
  }
  /// False: an event has arrived.
  bool rest() noexcept {
    EventBox* nothing = nullptr;
    return top_.compare_exchange_strong(nothing, rests(), std::memory_order_seq_cst, std::memory_order_relaxed);
  }
  /// Takes the arrived events; no more arrive afterwards.
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

  std::atomic<EventBox*> top_{nullptr};  // null: the machine runs or is about to, and no event arrived since it looked
};

}  // namespace heddle::actor
