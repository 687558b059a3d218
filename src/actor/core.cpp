#include "actor/core.hpp"

#include "base/hash.hpp"

namespace heddle::actor {

using What = LogRecord::What;

MachineCore::MachineCore(System& system, const Table& table, std::string_view name, std::uint32_t number)
    : Interpreter(table, nullptr), system_(system), name_(name), number_(number) {}

MachineCore::~MachineCore() {
  drop_task();  // its locals may know the machine
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

// The first that the state does not defer. Ignored ones before it go.
EventBox* MachineCore::next_event() {
  EventBox* previous = nullptr;
  for (EventBox* box = inbox_.first(); box != nullptr;) {
    EventBox* const after = Inbox::after(*box);
    const Does does = cell_for(*box->type).does;
    if (does == Does::defer) {
      log(What::deferred, box->type->name);
      previous = box;
    } else {
      inbox_.remove(box, previous);
      ++events_handled_;
      if (does != Does::ignore) return box;
      log(What::ignored, box->type->name);
      release(box);
    }
    box = after;
  }
  return nullptr;
}

bool MachineCore::take_for_task() {
  EventBox* previous = nullptr;
  for (EventBox* box = inbox_.first(); box != nullptr; previous = box, box = Inbox::after(*box)) {
    if (!receiving_->matches(*box)) continue;
    inbox_.remove(box, previous);
    const std::coroutine_handle<> suspended = receiving_->waiting;
    take_received(*box);
    resume(suspended);
    return true;
  }
  return false;
}

void MachineCore::take_received(EventBox& box) {
  ++events_handled_;
  was_idle_ = false;
  log(What::received, box.type->name);
  std::exchange(receiving_, nullptr)->take(box);
  release(&box);
}

bool MachineCore::begin_receive(Receive& receive) {
  receiving_ = &receive;
  EventBox* previous = nullptr;
  for (EventBox* box = inbox_.first(); box != nullptr; previous = box, box = Inbox::after(*box)) {
    if (!receive.matches(*box)) continue;
    inbox_.remove(box, previous);
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
  drop_all();
  object_.reset();
  system_.backend().halted(*this);
}

void MachineCore::drop_all() {
  while (EventBox* box = inbox_.first()) {
    inbox_.remove(box, nullptr);
    if (object_ != nullptr) object_->on_event_dropped(AnyEvent(*box->type, box->value()));
    drop(box);
  }
}

void MachineCore::drop(EventBox* box) {
  ++events_dropped_;
  log(What::dropped, box->type->name);
  const bool must_handle = box->must_handle;
  const std::string_view event = box->type->name;
  release(box);
  if (must_handle)
    system_.backend().fail(FailureKind::specification, who() + " halted without handling " + std::string(event) +
                                                           ", which was sent as must_handle");
}

void MachineCore::failed(FailureKind kind, const std::string& what) {
  system_.backend().fail(kind, who() + " in state " + std::string(state_name()) + " " + what);
}

void MachineCore::violated(std::string_view message) {
  const EventType* const event = event_type();
  failed(FailureKind::assertion,
         (event != nullptr ? "on " + std::string(event->name) + ": " : ": ") + std::string(message));
}

std::uint64_t MachineCore::observed() const {
  std::uint64_t hash = combine(stack_hash_ + (receiving_ != nullptr ? 1 : 0), inbox_.hash());
  if (table().hash() != nullptr && object_ != nullptr) hash = combine(hash, table().hash()(object_.get()));
  return hash;
}

}  // namespace heddle::actor
