#include "engine/carrier.hpp"

#include "base/arch/x86_64/frames.hpp"
#include "base/check.hpp"
#include "base/raw.hpp"
#include "engine/control.hpp"

namespace heddle::engine {
namespace {

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
    if (slot.unfinished) forget_stack(slot.stack, true);
  slots_.clear();
  released_.clear();
  interruptions_.clear();
  fresh_ = 0;
}

Donor* Carrier::take_donor() {
  if (!released_.empty()) {
    Donor* donor = released_.back();
    released_.pop_back();
    return donor;
  }
  if (fresh_ == donors_.size() && !add_donor()) return nullptr;
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
  Slot& slot = slots_.append(donor, stack, entry);
  make_context(slot.context, stack.top, begin_operation);
  return true;
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
  const Slot& target = slots_[index(to)];
  running_ = to;
  control.thread_pointer = target.thread_pointer;
  set_thread_pointer(target.thread_pointer, sets_directly_);
  jump_to_context(target.context);
}

void Carrier::go_home(OperationId) {
  control.thread_pointer = 0;
  set_thread_pointer(home_thread_pointer_, sets_directly_);
  jump_to_context(home_);
}

// As the kernel does for a signal: adds a frame on top of the operation's frames and leaves the compiler's red zone
// untouched.
void Carrier::interrupt(OperationId id, void (*function)()) {
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
