#include "actor/core.hpp"

#include "base/hash.hpp"

namespace heddle::actor {

using What = LogRecord::What;

MachineCore::MachineCore(System& system, const Table& table, std::string_view name, std::uint32_t number,
                         Address* address)
    : Interpreter(table, nullptr),
      system_(system),
      address_(address != nullptr ? *address : own_address_),
      name_(name),
      number_(number) {
  address_.machine = this;
}

MachineCore::~MachineCore() {
  drop_task();  // its locals may refer to the machine
  while (EventBox* box = inbox_.first()) {
    inbox_.remove(box, nullptr);
    release(box);
  }
  if (current_ != nullptr) release(current_);
}

void MachineCore::set_object(Machine* object) {
  object_.reset(object);
  object->core_ = this;
  Interpreter::set_object(object);
}

std::string MachineCore::who() const {
  std::string text(table().name());
  text += "(" + std::to_string(number_) + ")";
  return name_.empty() ? text : text + " \"" + name_ + "\"";
}

void MachineCore::log(What what, std::string_view event, std::string_view text, MachineId other) {
  if (!system_.is_logging()) [[likely]]
    return;
  system_.log({what, id(), other, state_name(), event, text});
}

void MachineCore::start() { enter_start(); }

void MachineCore::deliver(EventBox* box) { inbox_.push(box); }

Does MachineCore::judge(const EventBox& box) const {
  if (receiving_ != nullptr) return receiving_->matches(box) ? Does::action : Does::defer;
  const Does does = cell_for(*box.type).does;
  return does == Does::defer || does == Does::ignore ? does : Does::action;
}

bool MachineCore::step() {
  if (has_halted()) return false;
  if (receiving_ != nullptr) return take_for_task();
  EventBox* const box = next_event();
  if (box == nullptr) return false;
  was_idle_ = false;
  current_ = box;
  log(What::taken, box->type->name);
  handle(*box->type, box->value());
  return true;
}

// The first event that the state does not defer. Ignored events before it are dropped.
EventBox* MachineCore::next_event() {
  EventBox* previous = passed_;
  for (EventBox* box = previous != nullptr ? Inbox::after(*previous) : inbox_.first(); box != nullptr;) {
    EventBox* const after = Inbox::after(*box);
    const Does does = cell_for(*box->type).does;
    if (does == Does::defer) {
      log(What::deferred, box->type->name);
      passed_ = previous = box;
    } else {
      inbox_.remove(box, previous);
      count_handled();
      if (does != Does::ignore) return box;
      log(What::ignored, box->type->name);
      release(box);
    }
    box = after;
  }
  return nullptr;
}

/// Removes it from the inbox; null: no event matches.
EventBox* MachineCore::find_received(const Receive& receive) {
  EventBox* previous = passed_;
  for (EventBox* box = previous != nullptr ? Inbox::after(*previous) : inbox_.first(); box != nullptr;
       box = Inbox::after(*box)) {
    if (receive.matches(*box)) {
      inbox_.remove(box, previous);
      return box;
    }
    passed_ = previous = box;
  }
  return nullptr;
}

bool MachineCore::take_for_task() {
  EventBox* const box = find_received(*receiving_);
  if (box == nullptr) return false;
  const std::coroutine_handle<> suspended = receiving_->waiting;
  take_received(*box);
  resume(suspended);
  return true;
}

void MachineCore::take_received(EventBox& box) {
  count_handled();
  was_idle_ = false;
  passed_ = nullptr;
  log(What::received, box.type->name);
  std::exchange(receiving_, nullptr)->take(box);
  release(&box);
}

bool MachineCore::begin_receive(Receive& receive) {
  receiving_ = &receive;
  passed_ = nullptr;
  if (EventBox* const box = find_received(receive)) {
    take_received(*box);
    return true;
  }
  if (system_.is_logging()) log(What::waits, {}, receive.names());
  return false;
}

void MachineCore::idle() {
  was_idle_ = true;
  log(What::idle);
  run_idle();
}

void MachineCore::changed(What how, StateIndex state) {
  was_idle_ = false;
  passed_ = nullptr;
  stack_hash_ = 0;
  for (const StateIndex one : stack()) stack_hash_ = combine(stack_hash_, table().state(one).tag->hash);
  if (system_.is_logging()) system_.log({how, id(), {}, table().state_name(state), {}, {}});
}

void MachineCore::handled() noexcept {
  if (current_ != nullptr) release(std::exchange(current_, nullptr));
}

void MachineCore::halted() {
  log(What::halted);
  object_->on_halt();
  system_.backend().halting(*this);
  drop_all();
  object_.reset();
  system_.backend().halted(*this);
}

void MachineCore::drop_all() {
  passed_ = nullptr;
  while (EventBox* box = inbox_.first()) {
    inbox_.remove(box, nullptr);
    if (object_ != nullptr) object_->on_event_dropped(AnyEvent(*box->type, box->value()));
    drop(box);
  }
}

void MachineCore::drop(EventBox* box) {
  count_dropped();
  system_.drop(box, id(), state_name());
}

void MachineCore::failed(FailureKind kind, const std::string& what) {
  system_.backend().fail(kind, who() + " in state " + std::string(state_name()) + " " + what);
}

void MachineCore::violated(std::string_view message) {
  const EventType* const event = event_type();
  failed(FailureKind::assertion,
         (event != nullptr ? "on " + std::string(event->name) + ": " : ": ") + std::string(message));
  abandon();
}

std::string MachineCore::too_many(const EventType& type, std::uint32_t count, std::uint32_t at_most) const {
  return who() + " has " + std::to_string(count) + " " + std::string(type.name) + " in its inbox, and at most " +
         std::to_string(at_most) + " were to be there";
}

std::uint64_t MachineCore::observed(bool inbox_only) const {
  if (inbox_only) return inbox_.hash();
  std::uint64_t hash = combine(stack_hash_ + (receiving_ != nullptr ? 1 : 0), inbox_.hash());
  if (table().hash() != nullptr && object_ != nullptr) hash = combine(hash, table().hash()(object_.get()));
  return hash;
}

}  // namespace heddle::actor
