// Runs all operations on one OS thread, the carrier, each on the stack and with the thread pointer of a donor.
//
// A switch sets the thread pointer and jumps to the other stack. Because only the carrier ever runs, nothing here is
// atomic, and the whole program can be forked at any scheduling point.
//
// An operation that asked for a late context has no donor until it is handed over to. One that rests keeps its donor as
// long as there are few, because going on in a stack costs less than beginning in it; when there are more, the one that
// has rested longest loses it. Where one operation comes to rest and another begins, the second takes over the donor of
// the first: no stack is switched. So the donors are as many as operations are in the middle of something, and some.
#pragma once

#include "base/arch/x86_64/context.hpp"
#include "base/arch/x86_64/thread_pointer.hpp"
#include "base/page_vector.hpp"
#include "engine/control.hpp"
#include "engine/donor.hpp"
#include "engine/executor.hpp"
#include "engine/stack_area.hpp"
#include "engine/tls_image.hpp"

namespace heddle::engine {

class Carrier final : public Executor {
 public:
  Carrier();

  void open() override;
  /// From home: makes sure that at least this many donors exist.
  void keep_ready(std::uint32_t donors);
  void begin() override;
  bool prepare(OperationId id, Entry entry, const StackWish& stack) override;
  void enter(OperationId first) override;
  void transfer(OperationId from, OperationId to) override { switch_to(from, to); }
  /// The same as transfer, to be inlined.
  void switch_to(OperationId from, OperationId to);
  [[noreturn]] void leave(OperationId from, OperationId to) override;
  [[noreturn]] void go_home(OperationId from) override;
  void interrupt(OperationId id, void (*function)()) override;
  void rest(OperationId from, OperationId to) override;
  void pause(OperationId from) override;
  void release(OperationId id) override;
  bool shares_one_thread() const override { return true; }
  std::uint32_t contexts_used() const override { return fresh_; }
  std::uintptr_t thread_pointer(OperationId id) const override { return slots_[index(id)].thread_pointer; }
  StackBounds stack(OperationId id) const override { return slots_[index(id)].stack.bounds; }
  char* top_of_thread(OperationId id) const override {
    const OperationStack& own = slots_[index(id)].donor->own;
    forget_stack(own, true);  // an earlier operation may have left marks there
    return own.top;
  }
  Standing standing(OperationId id) const override {
    const Context& context = slots_[index(id)].context;
    if (slots_[index(id)].thread_pointer == 0) return {};
    return {reinterpret_cast<std::uintptr_t>(context.stack), reinterpret_cast<std::uintptr_t>(context.frame)};
  }

 private:
  struct Slot {
    explicit Slot(const Entry& runs) : entry(runs) {}

    Context context;
    std::uintptr_t thread_pointer = 0;  // 0: the operation has no donor
    Donor* donor = nullptr;
    OperationStack stack{};
    Entry entry;
    OperationId rested_before = kNoOperation;  // its neighbours in the list of those that rest and have a donor
    OperationId rested_after = kNoOperation;
    bool unfinished = true;
    bool rests = false;
  };

  struct Interruption {
    OperationId of;
    void (*function)();
    Context interrupted;
  };

  static void begin_operation();
  static void begin_interruption();
  void seat(Slot& slot, Donor& donor, const OperationStack& stack);
  void unseat(Slot& slot);
  void begin_rest(OperationId id);
  void end_rest(Slot& slot);
  Donor* take_from_resting();
  [[gnu::noinline]] void seat_now(Slot& slot);
  [[noreturn]] void run(OperationId id);
  Donor* take_donor();
  bool add_donor();

  PageVector<Slot> slots_;  // indexed by operation
  StackArea stacks_;
  PageVector<Donor*> donors_;               // donor n uses stack n
  PageVector<Donor*> released_;             // in this execution, by operations that have ended
  PageVector<Interruption> interruptions_;  // that have not begun yet
  std::uint32_t fresh_ = 0;                 // donors_ from here on have not been used in this execution
  TlsImage tls_;
  OperationId longest_resting_ = kNoOperation;
  OperationId latest_resting_ = kNoOperation;
  Context home_;
  std::uintptr_t home_thread_pointer_ = 0;
  OperationId running_ = kNoOperation;
  bool sets_directly_;  // sets the thread pointer without a system call
};

[[gnu::always_inline]] inline void Carrier::switch_to(OperationId from, OperationId to) {
  Slot& source = slots_[index(from)];
  Slot& target = slots_[index(to)];
  if (target.thread_pointer == 0) [[unlikely]]
    seat_now(target);
  running_ = to;
  control.thread_pointer = target.thread_pointer;
  set_thread_pointer(target.thread_pointer, sets_directly_);
  switch_context(source.context, target.context);
}

}  // namespace heddle::engine
