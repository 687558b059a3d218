#include "engine/baton.hpp"

#include "base/check.hpp"
#include "base/raw.hpp"
#include "engine/control.hpp"
#include "engine/crash.hpp"

namespace heddle::engine {
namespace {

Baton* active = nullptr;  // for the frames of donors and the first one of an operation

}  // namespace

// Workers inherit the processor of the thread that starts them, so all explorations use the processor of the first one.
void Baton::open() {
  active = this;
  tls_.refresh();
  sched_getaffinity(0, sizeof saved_processors_, &saved_processors_);
  if (processor_ < 0) processor_ = sched_getcpu();
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(processor_, &one);
  sched_setaffinity(0, sizeof one, &one);
}

void Baton::close() { sched_setaffinity(0, sizeof saved_processors_, &saved_processors_); }

void Baton::begin() {
  for (const Slot& slot : slots_)
    if (slot.unfinished) forget_stack(slot.stack, true);
  slots_.clear();
  released_.clear();
  fresh_ = 0;
}

Donor* Baton::take_donor() {
  if (!released_.empty()) {
    Donor* donor = released_.back();
    released_.pop_back();
    return donor;
  }
  if (fresh_ == donors_.size()) {
    const Uncontrolled heddle_at_work;
    Donor* donor = Donor::start(live, this, stacks_, fresh_);
    if (donor == nullptr) return nullptr;
    donors_.push_back(donor);
  }
  return donors_[fresh_++];
}

bool Baton::prepare(OperationId id, Entry entry, const StackWish& wish) {
  Donor* donor = take_donor();
  if (donor == nullptr) return false;
  const OperationStack& stack = donor->stack_for(wish);
  if (stack.top == nullptr) [[unlikely]] {
    released_.push_back(donor);
    return false;
  }
  forget_stack(stack, false);
  tls_.put_back(donor->thread_pointer);
  HEDDLE_CHECK(index(id) == slots_.size(), "operations are prepared in the order of their ids");
  donor->operation = id;
  Slot& slot = slots_.append(donor, stack, entry);
  make_context(slot.context, stack.top, begin_operation);
  return true;
}

// The life of a pooled thread. It waits here, on its own frames, also while its operation waits in the middle: the
// operation's stack may be memory of the program, which is gone once another operation has joined this one, or once the
// exploration is over.
void Baton::live(Donor& self) {
  accept_fatal_signals();
  self.tell_ready();
  for (;;) {
    self.spot.park(kWait);
    self.spot.set(kWait);
    active->running_ = self.operation;
    switch_context(self.base, active->slots_[index(self.operation)].context);
    active->pass_on();
  }
}

void Baton::begin_operation() {
  const Entry entry = active->slots_[index(active->running_)].entry;
  entry.function(entry.argument);
  HEDDLE_CHECK(false, "an operation came back from its entry");
}

void Baton::pass_on() {
  if (next_ == kNoOperation) {
    control.thread_pointer = 0;
    home_.set(kRun);
    home_.wake();
  } else {
    hand_over(next_);
  }
}

void Baton::hand_over(OperationId to) {
  Donor& target = *slots_[index(to)].donor;
  control.thread_pointer = target.thread_pointer;
  target.spot.set(kRun);
  target.spot.wake();
}

void Baton::enter(OperationId first) {
  home_.set(kWait);
  hand_over(first);
  home_.park(kWait);
}

void Baton::transfer(OperationId from, OperationId to) {
  Slot& slot = slots_[index(from)];
  next_ = to;
  switch_context(slot.context, slot.donor->base);
  void (*interruption)() = slots_[index(from)].interruption;
  if (interruption == nullptr) [[likely]]
    return;
  slots_[index(from)].interruption = nullptr;
  interruption();
}

void Baton::leave(OperationId from, OperationId to) {
  Slot& slot = slots_[index(from)];
  slot.unfinished = false;
  next_ = to;
  jump_to_context(slot.donor->base);
}

void Baton::go_home(OperationId from) {
  next_ = kNoOperation;
  jump_to_context(slots_[index(from)].donor->base);
}

void Baton::release(OperationId id) { released_.push_back(slots_[index(id)].donor); }

}  // namespace heddle::engine
