// A real OS thread that lends its stack and its thread pointer to operations.
//
// Because it was made by libc, everything that belongs to a thread is in place: thread_local storage, errno, malloc's
// caches, what pthread_self returns, what AddressSanitizer knows. On the carrier it then parks for ever and the
// carrier runs on its stack; with the baton it runs operations itself. Its stack is mapped by heddle, with a guard
// page below.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/arch/x86_64/context.hpp"
#include "engine/executor.hpp"
#include "engine/stack_area.hpp"

namespace heddle::engine {

/// One word to wait on. Whoever sets it hands over everything that it wrote before.
class ParkingSpot {
 public:
  void park(std::uint32_t until_not) {
    while (word_.load(std::memory_order_acquire) == until_not) wait(until_not);
  }
  std::uint32_t value() const { return word_.load(std::memory_order_acquire); }
  void set(std::uint32_t value) { word_.store(value, std::memory_order_release); }
  void wake() const;

 private:
  void wait(std::uint32_t while_value) const;
  std::atomic<std::uint32_t> word_{0};
};

struct Donor {
  using Life = void (*)(Donor&);  // what its thread does; never returns

  /// Starts the thread and waits until it is ready; null: none to be had. Signals are blocked in it. `number`: of its
  /// stack.
  static Donor* start(Life life, void* owner, const StackArea& stacks, std::uint32_t number);
  /// While it does: memory that libc asks for is the donor's, and not the program's.
  static bool is_starting;

  std::uintptr_t thread_pointer = 0;
  char* top = nullptr;  // operations use the stack below
  StackBounds bounds;
  void* owner = nullptr;  // whose life it lives
  Life life = nullptr;
  ParkingSpot spot;  // for its life
  ParkingSpot ready;
  Context base;  // of its own frames, when it runs operations itself
  OperationId operation = kNoOperation;
};

std::size_t stack_bytes_of_donors();

/// Makes the stack usable by another operation after one that was left in the middle (AddressSanitizer's marks).
void forget_stack(const Donor& donor, bool was_abandoned);

}  // namespace heddle::engine
