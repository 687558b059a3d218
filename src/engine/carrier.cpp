#include "engine/carrier.hpp"

#include "base/arch/x86_64/frames.hpp"
#include "base/check.hpp"
#include "base/machine.hpp"
#include "base/raw.hpp"
#include "engine/control.hpp"

namespace heddle::engine {
namespace {

// A ring of machines is as fast with stacks that are kept as with stacks that are handed on at about 200 machines,
// where the stacks begin to compete for the caches.
constexpr std::uint32_t kDonorsKept = 128;

Carrier* active = nullptr;  // for the first frame of an operation, which gets no argument

// Runs beside the program, so nothing of it may call into a sanitizer, as instrumented code does before a call that
// does not return.
[[gnu::no_sanitize_address]] void park_for_ever(Donor& self) {
  self.tell_ready();
  self.spot.park_beside_carrier();
}

}  // namespace

Carrier::Carrier() : stacks_(usual_stack_bytes()), sets_directly_(can_write_thread_pointer()) {}

void Carrier::open() { tls_.refresh(); }

void Carrier::begin() {
  for (const Slot& slot : slots_)
    if (slot.unfinished && slot.thread_pointer != 0) forget_stack(slot.stack, true);
  slots_.clear();
  released_.clear();
  interruptions_.clear();
  longest_resting_ = latest_resting_ = kNoOperation;
  fresh_ = 0;
}

Donor* Carrier::take_donor() {
  if (!released_.empty()) {
    Donor* donor = released_.back();
    released_.pop_back();
    return donor;
  }
  if (fresh_ >= kDonorsKept && longest_resting_ != kNoOperation) return take_from_resting();
  if (fresh_ == donors_.size() && !add_donor()) return take_from_resting();
  return donors_[fresh_++];
}

bool Carrier::add_donor() {
  const std::uintptr_t mine = heddle::thread_pointer();
  const Uncontrolled heddle_at_work;
  if (home_thread_pointer_ != 0) set_thread_pointer(home_thread_pointer_, sets_directly_);
  Donor* donor = Donor::start(park_for_ever, this, stacks_, static_cast<std::uint32_t>(donors_.size()));
  set_thread_pointer(mine, sets_directly_);
  if (donor == nullptr) return false;
  donors_.push_back(donor);
  return true;
}

void Carrier::keep_ready(std::uint32_t donors) {
  while (donors_.size() < donors && add_donor()) {
  }
}

bool Carrier::prepare(OperationId id, Entry entry, const StackWish& wish) {
  HEDDLE_CHECK(index(id) == slots_.size(), "operations are prepared in the order of their ids");
  if (wish.late) {
    slots_.append(entry);
    return true;
  }
  Donor* donor = take_donor();
  if (donor == nullptr) return false;
  const OperationStack& stack = donor->stack_for(wish);
  if (stack.top == nullptr) [[unlikely]] {
    released_.push_back(donor);
    return false;
  }
  seat(slots_.append(entry), *donor, stack);
  return true;
}

void Carrier::seat(Slot& slot, Donor& donor, const OperationStack& stack) {
  forget_stack(stack, false);
  tls_.put_back(donor.thread_pointer);
  slot.donor = &donor;
  slot.thread_pointer = donor.thread_pointer;
  slot.stack = stack;
  make_context(slot.context, stack.top, begin_operation);
}

void Carrier::unseat(Slot& slot) {
  slot.thread_pointer = 0;
  slot.donor = nullptr;
  slot.stack = {};
}

/// The operation has existed for some time, so it cannot be refused.
void Carrier::seat_now(Slot& slot) {
  Donor* const donor = take_donor();
  if (donor == nullptr) [[unlikely]] {
    const Uncontrolled heddle_at_work;
    char text[300];
    refusals.describe(text, sizeof text);
    end_refused(text);
  }
  seat(slot, *donor, donor->own);
}

void Carrier::run(OperationId id) {
  Slot& target = slots_[index(id)];
  if (target.thread_pointer == 0) [[unlikely]]
    seat_now(target);
  running_ = id;
  if (control.thread_pointer != target.thread_pointer) {
    control.thread_pointer = target.thread_pointer;
    set_thread_pointer(target.thread_pointer, sets_directly_);
  }
  jump_to_context(target.context);
}

// If the other operation gets this donor, its first frames overwrite those of its predecessor, but not the ones that
// run here, which are deeper.
void Carrier::rest(OperationId from, OperationId to) {
  if (fresh_ >= kDonorsKept && slots_[index(to)].thread_pointer == 0) {
    released_.push_back(slots_[index(from)].donor);
    unseat(slots_[index(from)]);
    run(to);
  }
  begin_rest(from);
  switch_to(from, to);
  end_rest(slots_[index(from)]);
}

void Carrier::begin_rest(OperationId id) {
  Slot& slot = slots_[index(id)];
  slot.rests = true;
  slot.rested_before = latest_resting_;
  slot.rested_after = kNoOperation;
  (latest_resting_ != kNoOperation ? slots_[index(latest_resting_)].rested_after : longest_resting_) = id;
  latest_resting_ = id;
}

void Carrier::end_rest(Slot& slot) {
  if (!slot.rests) return;
  slot.rests = false;
  const OperationId before = slot.rested_before;
  const OperationId after = slot.rested_after;
  (before != kNoOperation ? slots_[index(before)].rested_after : longest_resting_) = after;
  (after != kNoOperation ? slots_[index(after)].rested_before : latest_resting_) = before;
}

/// Null: none rests.
Donor* Carrier::take_from_resting() {
  if (longest_resting_ == kNoOperation) return nullptr;
  Slot& slot = slots_[index(longest_resting_)];
  Donor* const donor = slot.donor;
  end_rest(slot);
  unseat(slot);
  return donor;
}

void Carrier::begin_operation() {
  const Slot& slot = active->slots_[index(active->running_)];
  const Entry entry = slot.entry;
  entry.function(entry.argument);
  HEDDLE_CHECK(false, "an operation came back from its entry");
}

[[gnu::noinline]] void Carrier::enter(OperationId first) {
  active = this;
  home_thread_pointer_ = heddle::thread_pointer();
  running_ = first;
  Slot& to = slots_[index(first)];
  control.thread_pointer = to.donor->thread_pointer;
  set_thread_pointer(to.donor->thread_pointer, sets_directly_);
  switch_context(home_, to.context);
  home_thread_pointer_ = 0;
}

void Carrier::leave(OperationId from, OperationId to) {
  slots_[index(from)].unfinished = false;
  run(to);
}

void Carrier::go_home(OperationId) {
  control.thread_pointer = 0;
  set_thread_pointer(home_thread_pointer_, sets_directly_);
  jump_to_context(home_);
}

// As the kernel does for a signal: adds a frame on top of the operation's frames and leaves the compiler's red zone
// untouched.
void Carrier::interrupt(OperationId id, void (*function)()) {
  end_rest(slots_[index(id)]);
  if (slots_[index(id)].thread_pointer == 0) seat_now(slots_[index(id)]);
  Context& context = slots_[index(id)].context;
  interruptions_.push_back({id, function, context});
  make_context(context, static_cast<char*>(context.stack) - kRedZoneBytes, begin_interruption);
}

// This function never returns, so AddressSanitizer's marks around its frame would stay and get in the way of the
// operation's deeper frames.
[[gnu::no_sanitize_address]] void Carrier::begin_interruption() {
  PageVector<Interruption>& waiting = active->interruptions_;
  std::size_t at = 0;
  while (waiting[at].of != active->running_) ++at;
  const Interruption mine = waiting[at];
  waiting.erase(at);
  mine.function();
  jump_to_context(mine.interrupted);
}

void Carrier::pause(OperationId from) {
  control.thread_pointer = 0;
  set_thread_pointer(home_thread_pointer_, sets_directly_);
  switch_context(slots_[index(from)].context, home_);
}

void Carrier::release(OperationId id) { released_.push_back(slots_[index(id)].donor); }

}  // namespace heddle::engine
