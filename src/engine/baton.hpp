// One OS thread for each operation, and a baton that determines which of them runs.
//
// The threads are pooled and pinned to the processor that the explorer runs on. Each waits on its own futex word, so
// handing over is one wake and one wait. An operation runs in a context on its own thread's stack: if it is left in the
// middle, it can be given up by a jump back to the frames of the pool.
#pragma once

#include <sched.h>

#include "base/page_vector.hpp"
#include "engine/donor.hpp"
#include "engine/executor.hpp"
#include "engine/stack_area.hpp"
#include "engine/tls_image.hpp"

namespace heddle::engine {

class Baton final : public Executor {
 public:
  void open() override;
  void close() override;
  void begin() override;
  bool prepare(OperationId id, Entry entry, const StackWish& stack) override;
  void enter(OperationId first) override;
  void transfer(OperationId from, OperationId to) override;
  [[noreturn]] void leave(OperationId from, OperationId to) override;
  [[noreturn]] void go_home(OperationId from) override;
  void interrupt(OperationId id, void (*function)()) override { slots_[index(id)].interruption = function; }
  void release(OperationId id) override;
  std::uintptr_t thread_pointer(OperationId id) const override { return slots_[index(id)].donor->thread_pointer; }
  StackBounds stack(OperationId id) const override { return slots_[index(id)].stack.bounds; }
  char* top_of_thread(OperationId id) const override { return slots_[index(id)].donor->own.top; }

 private:
  enum Word : std::uint32_t { kWait, kRun, kGiveUp };
  struct Slot {
    Donor* donor = nullptr;
    OperationStack stack;
    Entry entry;
    bool started = false;
    bool unfinished = true;
    void (*interruption)() = nullptr;  // called at the operation's next turn
  };

  static void live(Donor& self);
  static void begin_operation();
  void hand_over(OperationId to);
  void wait_for_turn(Donor& self);
  [[noreturn]] void give_up(Donor& self);
  Donor* take_donor();

  PageVector<Slot> slots_;  // indexed by operation
  StackArea stacks_{usual_stack_bytes()};
  PageVector<Donor*> donors_;  // donor n uses stack n
  PageVector<Donor*> released_;
  std::uint32_t fresh_ = 0;
  ParkingSpot home_;
  ParkingSpot given_up_;  // counts the operations that were given up between two executions
  TlsImage tls_;
  int processor_ = -1;  // that all threads are pinned to
  cpu_set_t saved_processors_{};
};

}  // namespace heddle::engine
