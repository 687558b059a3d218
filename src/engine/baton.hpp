// An OS thread for each operation, and a baton that says who runs.
//
// The threads are pooled and pinned to the processor that the explorer runs on, and each waits on one futex word of
// its own: handing over is one wake and one wait. An operation runs in a context on its own thread's stack, so that
// one which is left in the middle can be given up by a jump back to the frames of the pool.
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
  bool prepare(OperationId id, Entry entry) override;
  void enter(OperationId first) override;
  void transfer(OperationId from, OperationId to) override;
  [[noreturn]] void leave(OperationId from, OperationId to) override;
  [[noreturn]] void go_home(OperationId from) override;
  void interrupt(OperationId id, void (*function)()) override { slots_[index(id)].interruption = function; }
  void release(OperationId id) override;
  std::uintptr_t thread_pointer(OperationId id) const override { return slots_[index(id)].donor->thread_pointer; }
  StackBounds stack(OperationId id) const override { return slots_[index(id)].donor->bounds; }

 private:
  enum Word : std::uint32_t { kWait, kRun, kGiveUp };
  struct Slot {
    Donor* donor = nullptr;
    Entry entry;
    bool started = false;
    bool unfinished = true;
    void (*interruption)() = nullptr;  // to be called when its turn comes
  };

  static void live(Donor& self);
  static void begin_operation();
  void hand_over(OperationId to);
  void wait_for_turn(Donor& self);
  [[noreturn]] void give_up(Donor& self);
  Donor* take_donor();

  PageVector<Slot> slots_;  // indexed by operation
  StackArea stacks_{stack_bytes_of_donors()};
  PageVector<Donor*> donors_;  // the nth on the nth stack
  PageVector<Donor*> released_;
  std::uint32_t fresh_ = 0;
  ParkingSpot home_;
  ParkingSpot given_up_;  // counts the operations that were given up between two executions
  TlsImage tls_;
  int processor_ = -1;  // to which all are pinned
  cpu_set_t saved_processors_{};
};

}  // namespace heddle::engine
