// A real OS thread that lends its stack and its thread pointer to operations.
//
// Because libc created it, everything that belongs to a thread is in place: thread_local storage, errno, malloc's
// caches, the result of pthread_self, AddressSanitizer's data. With the carrier, the donor then parks forever and the
// carrier runs on its stack. With the baton, it runs operations itself. heddle maps its stack, with a guard page below.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/arch/x86_64/context.hpp"
#include "engine/executor.hpp"
#include "engine/operation_stack.hpp"
#include "engine/stack_area.hpp"

namespace heddle::engine {

/// One word to wait on. Setting it publishes everything that the setter wrote before.
class ParkingSpot {
 public:
  void park(std::uint32_t until_not) {
    while (word_.load(std::memory_order_acquire) == until_not) wait(until_not);
  }
  std::uint32_t value() const { return word_.load(std::memory_order_acquire); }
  void set(std::uint32_t value) { word_.store(value, std::memory_order_release); }
  void wake() const;

  // For a thread whose storage the carrier may be using at the same time: no errno is read or written. The kernel never
  // hands such a thread's system calls over (runtime/kernel_calls/traps.hpp): a new thread begins without that.
  [[noreturn]] void park_beside_carrier() const;
  void wake_beside_carrier() const;

 private:
  void wait(std::uint32_t while_value) const;
  std::atomic<std::uint32_t> word_{0};
};

struct Donor {
  using Life = void (*)(Donor&);  // what the thread does; calls `tell_ready` once, and never returns

  /// Starts the thread and waits until it is ready; null: no thread is available. Signals are blocked in the thread.
  /// `number`: of its stack.
  static Donor* start(Life life, void* owner, const StackArea& stacks, std::uint32_t number);
  /// Called by the thread itself when it has everything that it needs: `start` waits for that. From here on the carrier
  /// may run an operation with its storage, and heddle's own tables belong to the thread that runs.
  void tell_ready();
  /// True during `start`: memory that libc then asks for belongs to the donor, not to the program.
  static bool is_starting;

  /// A stack for an operation: its own, if that is what the operation asks for. top null: the kernel refuses memory.
  const OperationStack& stack_for(const StackWish& wish) {
    if (wish.bytes == 0) [[likely]]
      return own;
    return another_stack(wish);
  }

  std::uintptr_t thread_pointer = 0;
  OperationStack own;
  OtherStack other;          // for operations that asked for another size
  OperationStack asked_for;  // the last one that was not its own
  std::uint32_t number = 0;
  void* owner = nullptr;  // the executor that `life` serves
  Life life = nullptr;
  ParkingSpot spot;  // for use by `life`
  ParkingSpot ready;
  Context base;  // of its own frames, when it runs operations itself
  OperationId operation = kNoOperation;

 private:
  const OperationStack& another_stack(const StackWish& wish);
};

/// Of an operation that asks for no other.
std::size_t usual_stack_bytes();
/// Does a thread without attributes ask for that much?
bool is_usual_stack(std::size_t bytes);

/// Makes the stack usable by another operation after one that was left in the middle (clears AddressSanitizer's marks).
void forget_stack(const OperationStack& stack, bool was_abandoned);

}  // namespace heddle::engine
