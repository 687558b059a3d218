#include "engine/baton.hpp"

#include "base/check.hpp"
#include "base/raw.hpp"
#include "engine/control.hpp"
#include "engine/crash.hpp"

namespace heddle::engine {
namespace {

Baton* active = nullptr;
Donor* running = nullptr;  // the donor whose operation begins; read by the operation's first frame

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
  for (const Slot& slot : slots_) {
    if (!slot.unfinished) continue;
    forget_stack(slot.stack, true);
    if (!slot.started) continue;
    const std::uint32_t before = given_up_.value();
    slot.donor->spot.set(kGiveUp);
    slot.donor->spot.wake();
    given_up_.park(before);
  }
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
  const OperationStack stack = donor->stack_for(wish);
  if (stack.top == nullptr) [[unlikely]] {
    released_.push_back(donor);
    return false;
  }
  forget_stack(stack, false);
  tls_.put_back(donor->thread_pointer);
  HEDDLE_CHECK(index(id) == slots_.size(), "operations are prepared in the order of their ids");
  donor->operation = id;
  slots_.push_back({donor, stack, entry, false, true, nullptr});
  return true;
}

// The life of a pooled thread: whenever it is told to run, it begins an operation.
void Baton::live(Donor& self) {
  accept_fatal_signals();
  for (;;) {
    self.spot.park(kWait);
    if (self.spot.value() == kGiveUp) continue;
    self.spot.set(kWait);
    running = &self;
    Context operation;
    make_context(operation, active->slots_[index(self.operation)].stack.top, begin_operation);
    switch_context(self.base, operation);
  }
}

void Baton::begin_operation() {
  const Entry entry = active->slots_[index(running->operation)].entry;
  entry.function(entry.argument);
  HEDDLE_CHECK(false, "an operation came back from its entry");
}

void Baton::hand_over(OperationId to) {
  Slot& target = slots_[index(to)];
  target.started = true;
  control.thread_pointer = target.donor->thread_pointer;
  target.donor->spot.set(kRun);
  target.donor->spot.wake();
}

void Baton::wait_for_turn(Donor& self) {
  self.spot.park(kWait);
  const bool given_up = self.spot.value() == kGiveUp;
  self.spot.set(kWait);
  if (given_up) give_up(self);
}

void Baton::give_up(Donor& self) {
  given_up_.set(given_up_.value() + 1);
  given_up_.wake();
  Context nowhere;
  switch_context(nowhere, self.base);
  __builtin_unreachable();
}

void Baton::enter(OperationId first) {
  home_.set(kWait);
  hand_over(first);
  home_.park(kWait);
}

void Baton::transfer(OperationId from, OperationId to) {
  Donor& self = *slots_[index(from)].donor;
  hand_over(to);
  wait_for_turn(self);
  void (*interruption)() = slots_[index(from)].interruption;
  if (interruption == nullptr) [[likely]]
    return;
  slots_[index(from)].interruption = nullptr;
  interruption();
}

void Baton::leave(OperationId from, OperationId to) {
  Slot& slot = slots_[index(from)];
  Donor& self = *slot.donor;
  slot.unfinished = false;
  hand_over(to);
  Context nowhere;
  switch_context(nowhere, self.base);
  __builtin_unreachable();
}

void Baton::go_home(OperationId from) {
  Donor& self = *slots_[index(from)].donor;
  control.thread_pointer = 0;
  home_.set(kRun);
  home_.wake();
  wait_for_turn(self);  // until the operation is given up
  HEDDLE_CHECK(false, "an operation that went home was handed over to");
  __builtin_unreachable();
}

void Baton::release(OperationId id) { released_.push_back(slots_[index(id)].donor); }

}  // namespace heddle::engine
