// Making it so: how operations get a stack and how one hands over to the next.
//
// Two kinds. The carrier runs all operations on one OS thread, on borrowed stacks: a switch is a few instructions. The
// baton keeps an OS thread for each and passes the right to run with a futex: for threads that heddle did not make,
// and where contexts cannot serve. "Home" is the explorer, outside every operation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/check.hpp"
#include "base/ids.hpp"

namespace heddle::engine {

struct Entry {
  void (*function)(void*) = nullptr;  // never returns: it ends by Executor::leave or go_home
  void* argument = nullptr;
};

/// The stack that an operation was given, for messages about overflow.
struct StackBounds {
  const char* low = nullptr;  // the guard lies below
  const char* high = nullptr;
};
/// Where an operation that does not run goes on. Zero: not known.
struct Standing {
  std::uintptr_t stack = 0;  // the stack pointer
  std::uintptr_t frame = 0;  // the frame pointer
};
inline constexpr std::size_t kGuardBytes = 64 * 1024;

class Executor {
 public:
  virtual ~Executor() = default;

  /// Around an exploration, from home.
  virtual void open() {}
  virtual void close() {}
  /// Before the first operation of an execution, from home: every context is free again, whatever state it is in.
  virtual void begin() = 0;
  /// Gives the operation a context that begins in `entry`. False: no more threads to be had.
  virtual bool prepare(OperationId id, Entry entry) = 0;
  /// From home: lets `first` run; returns when an operation goes home.
  virtual void enter(OperationId first) = 0;
  /// From the running operation to another; returns when somebody hands over to it again.
  virtual void transfer(OperationId from, OperationId to) = 0;
  /// The same for an operation that has ended and is not handed over to again.
  [[noreturn]] virtual void leave(OperationId from, OperationId to) = 0;
  /// From the running operation to home. The other operations stay where they are, for ever.
  [[noreturn]] virtual void go_home(OperationId from) = 0;
  /// `id`, which has begun and does not run, calls `function` when it is handed over to next, and then goes on.
  virtual void interrupt(OperationId id, void (*function)()) = 0;
  /// From the running operation to home, until somebody at home enters it again. Not every kind can.
  virtual void pause(OperationId) { HEDDLE_CHECK(false, "this executor cannot be held up"); }
  /// The operation has ended (or is about to leave) and nobody can ask for it: its context may serve another one.
  virtual void release(OperationId id) = 0;

  /// What pthread_self gives in it, which glibc makes the thread pointer.
  virtual std::uintptr_t thread_pointer(OperationId id) const = 0;
  virtual StackBounds stack(OperationId id) const = 0;
  virtual Standing standing(OperationId) const { return {}; }
};

}  // namespace heddle::engine
