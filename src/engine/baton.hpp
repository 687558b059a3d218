// One OS thread for each operation, and a baton that determines which of them runs.
//
// The threads are pooled and pinned to the processor that the explorer runs on. Each waits on its own futex word, so
// handing over is one wake and one wait. An operation runs in a context of its own; whenever another one's turn comes,
// its thread goes back to the frames of the pool and waits there, so an operation that is left in the middle is simply
// never continued.
#pragma once

#include <sched.h>

#include "base/arch/x86_64/context.hpp"
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
  std::uint32_t contexts_used() const override { return fresh_; }
  std::uintptr_t thread_pointer(OperationId id) const override { return slots_[index(id)].donor->thread_pointer; }
  StackBounds stack(OperationId id) const override { return slots_[index(id)].stack.bounds; }
  char* top_of_thread(OperationId id) const override { return slots_[index(id)].donor->own.top; }

 private:
  enum Word : std::uint32_t { kWait, kRun };
  struct Slot {
    Slot(Donor* of, const OperationStack& on, const Entry& runs) : donor(of), stack(on), entry(runs) {}

    Context context;
    Donor* donor;
    OperationStack stack;
    Entry entry;
    bool unfinished = true;
    void (*interruption)() = nullptr;  // called at the operation's next turn
  };

  static void live(Donor& self);
  static void begin_operation();
  /// On the frames of a donor whose operation has stopped running.
  void pass_on();
  void hand_over(OperationId to);
  Donor* take_donor();

  PageVector<Slot> slots_;  // indexed by operation
  StackArea stacks_{usual_stack_bytes()};
  PageVector<Donor*> donors_;  // donor n uses stack n
  PageVector<Donor*> released_;
  std::uint32_t fresh_ = 0;
  ParkingSpot home_;
  OperationId running_ = kNoOperation;
  OperationId next_ = kNoOperation;  // whom the running operation hands over to; none: the explorer
  TlsImage tls_;
  int processor_ = -1;  // that all threads are pinned to
  cpu_set_t saved_processors_{};
};

}  // namespace heddle::engine
