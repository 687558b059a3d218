// How operations get a stack, and how one hands over to the next.
//
// There are two kinds. The carrier runs all operations on one OS thread, on borrowed stacks: a switch is a few
// instructions. The baton keeps an OS thread for each operation and passes the right to run with a futex: for threads
// that heddle did not create, and where contexts cannot be used. "Home" is the explorer, outside every operation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "base/ids.hpp"

namespace heddle::engine {

struct Entry {
  void (*function)(void*) = nullptr;  // never returns: ends with Executor::leave or go_home
  void* argument = nullptr;
};

/// The stack given to an operation.
struct StackBounds {
  const char* low = nullptr;  // the guard is below
  const char* high = nullptr;
  std::size_t asked = 0;  // what the operation may use, down from `high`
};
/// The stack that an operation asks for. `bytes` 0: one of the usual size.
struct StackWish {
  std::size_t bytes = 0;
  char* memory = nullptr;  // the program's own, of that size; null: heddle maps it
  bool late = false;       // none until the operation first runs; of the usual size
};
/// Where an operation that is not running will continue. Zero: not known.
struct Standing {
  std::uintptr_t stack = 0;  // the stack pointer
  std::uintptr_t frame = 0;  // the frame pointer
};
inline constexpr std::size_t kGuardBytes = 64 * 1024;
/// Below what an operation asked for, and above the guard: heddle's own frames are the deepest ones on a stack.
inline constexpr std::size_t kRoomForHeddle = 64 * 1024;

class Executor {
 public:
  virtual ~Executor() = default;

  /// Called from home, around an exploration.
  virtual void open() {}
  virtual void close() {}
  /// Called from home, before the first operation of an execution: frees every context, whatever state it is in.
  virtual void begin() = 0;
  /// Gives the operation a context that begins in `entry`. False: no more threads are available.
  virtual bool prepare(OperationId id, Entry entry, const StackWish& stack) = 0;
  /// Called from home: runs `first`; returns when an operation goes home.
  virtual void enter(OperationId first) = 0;
  /// From the running operation to another; returns when an operation hands over to `from` again.
  virtual void transfer(OperationId from, OperationId to) = 0;
  /// The same for an operation with nothing on its stack that it needs: if the executor can, it takes the context back
  /// and does not return. The operation then begins in its entry again.
  virtual void rest(OperationId from, OperationId to) { transfer(from, to); }
  /// The same for an operation that has ended and will not run again.
  [[noreturn]] virtual void leave(OperationId from, OperationId to) = 0;
  /// From the running operation to home. The other operations stay where they are, forever.
  [[noreturn]] virtual void go_home(OperationId from) = 0;
  /// `id`, which has begun and is not running, calls `function` when it is next handed over to, and then continues.
  virtual void interrupt(OperationId id, void (*function)()) = 0;
  /// From the running operation to home, until it is entered again from home. Not every executor supports this.
  virtual void pause(OperationId) { HEDDLE_CHECK(false, "this executor cannot be held up"); }
  /// The operation has ended (or is about to leave) and cannot be asked for again: its context may serve another one.
  virtual void release(OperationId id) = 0;

  /// The most contexts that operations of this execution had at the same time. 0: not known.
  virtual std::uint32_t contexts_used() const = 0;
  /// Do all operations run on one thread of the kernel?
  virtual bool shares_one_thread() const { return false; }
  // Of an operation that has no context at the moment, these are 0 and null.

  /// The value of pthread_self in the operation; in glibc this is the thread pointer.
  virtual std::uintptr_t thread_pointer(OperationId id) const = 0;
  virtual StackBounds stack(OperationId id) const = 0;
  /// The highest address of the stack that belongs to its thread. It is unused if the operation runs on another one.
  virtual char* top_of_thread(OperationId id) const = 0;
  virtual Standing standing(OperationId) const { return {}; }
};

}  // namespace heddle::engine
