#include "actor/production/bounds.hpp"

#include <utility>

namespace heddle::actor {

bool Bounds::hold_if_room(ProductionAddress& address) const noexcept {
  std::uint32_t held = address.held.load(std::memory_order_seq_cst);
  while (held < inbox_max_)
    if (address.held.compare_exchange_weak(held, held + 1, std::memory_order_seq_cst)) return true;
  return false;
}

bool Bounds::admit(ProductionMachine* from, ProductionAddress& to, bool is_timer) {
  if (hold_if_room(to)) return true;
  if (when_full_ != RuntimeOptions::WhenFull::wait) return false;
  if (from == nullptr && !is_timer) {
    wait_outside(to);
    return true;
  }
  to.held.fetch_add(1, std::memory_order_seq_cst);
  if (from != nullptr && &from->address != &to) from->sent_to_full = &to;
  return true;
}

void Bounds::open(ProductionAddress& address) {
  const std::lock_guard lock(mutex_);
  address.is_closed = false;
}

void Bounds::wait_outside(ProductionAddress& to) {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [&] {
    to.has_waiting.store(true, std::memory_order_seq_cst);  // before checking whether it is still full
    if (hold_if_room(to)) return true;
    if (!to.is_closed && !has_ended_ && !to.mailbox.is_at_rest()) return false;
    to.held.fetch_add(1, std::memory_order_seq_cst);
    return true;
  });
}

ProductionMachine* Bounds::left(ProductionAddress& address, std::uint32_t count) {
  if (address.held.fetch_sub(count, std::memory_order_seq_cst) - count >= inbox_max_) return nullptr;
  if (!address.has_waiting.load(std::memory_order_seq_cst)) return nullptr;
  const std::lock_guard lock(mutex_);
  return is_full(address) ? nullptr : free_waiting(address);  // others may have filled it meanwhile, and wait too
}

ProductionMachine* Bounds::closed(ProductionAddress& address) {
  const std::lock_guard lock(mutex_);
  address.is_closed = true;
  return free_waiting(address);
}

ProductionMachine* Bounds::rests(ProductionAddress& address) {
  if (!address.has_waiting.load(std::memory_order_seq_cst)) return nullptr;
  const std::lock_guard lock(mutex_);
  return address.mailbox.is_at_rest() ? free_waiting(address) : nullptr;
}

/// Call with the lock held.
ProductionMachine* Bounds::free_waiting(ProductionAddress& address) {
  address.has_waiting.store(false, std::memory_order_seq_cst);
  ProductionMachine* const freed = std::exchange(address.waiting, nullptr);
  for (ProductionMachine* one = freed; one != nullptr; one = one->next_ready) one->address.waits = false;
  room_.notify_all();
  return freed;
}

bool Bounds::waits(ProductionMachine& machine) {
  ProductionAddress& of = *std::exchange(machine.sent_to_full, nullptr);
  const std::lock_guard lock(mutex_);
  of.has_waiting.store(true, std::memory_order_seq_cst);  // before checking it
  if (has_ended_ || of.is_closed || of.waits || !is_full(of) || of.mailbox.is_at_rest()) return false;
  machine.address.waits = true;
  machine.next_ready = of.waiting;
  of.waiting = &machine;
  return true;
}

void Bounds::end() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  room_.notify_all();
}

}  // namespace heddle::actor
