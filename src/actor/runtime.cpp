// The public classes, which forward everything to the core.
#include "heddle/actor/runtime.hpp"

#include <array>
#include <exception>
#include <ostream>

#include "actor/core.hpp"
#include "actor/system.hpp"
#include "heddle/actor/machine.hpp"
#include "heddle/actor/monitor.hpp"

namespace heddle {

using namespace actor;

std::string_view name(FailureKind kind) {
  constexpr std::array<std::string_view, 6> kNames = {"unhandled-event", "exception", "specification",
                                                      "assertion",       "deadlock",  "misuse"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name(LogRecord::What what) {
  constexpr std::array<std::string_view, 19> kNames = {
      "created", "sent",          "taken",         "raised", "ignored", "deferred", "dropped",
      "entered", "pushed",        "popped",        "idle",   "waits",   "received", "exception",
      "halted",  "timer-started", "timer-stopped", "told",   "text"};
  return kNames[static_cast<std::size_t>(what)];
}

std::string MachineId::text() const {
  return number_ == 0 ? "nobody" : std::string(*type_) + "(" + std::to_string(number_) + ")";
}

std::ostream& operator<<(std::ostream& out, MachineId id) { return out << id.text(); }

// --- Runtime -----------------------------------------------------------------------------------------------------

Runtime::Runtime(RuntimeOptions options) : exceptions_(std::uncaught_exceptions()) {
  std::unique_ptr<Backend> backend = make_controlled_backend(options);
  if (backend == nullptr) backend = make_production_backend(options);
  system_ = std::make_unique<System>(std::move(options), std::move(backend));
}

Runtime::~Runtime() {
  if (std::uncaught_exceptions() > exceptions_)
    abort();
  else
    stop();
}

void Runtime::send_box(MachineId to, EventBox* box, SendOptions options) {
  if (!to) {
    const std::string event(box->type->name);
    system_->release(box);
    throw ActorError("heddle: " + event + " is sent to nobody: the MachineId is empty");
  }
  system_->backend().send(nullptr, to, box, options, __builtin_return_address(0));
}

void Runtime::add_monitor_object(TypeInfo& type, const Table& table, std::unique_ptr<Monitor> object) {
  system_->add_monitor(type, table, std::move(object));
}

void Runtime::wait() { system_->wait(); }
void Runtime::stop() { system_->stop(); }
void Runtime::abort() { system_->abort(); }
Metrics Runtime::metrics() const { return system_->backend().metrics(); }

// --- Machine -----------------------------------------------------------------------------------------------------

MachineCore& Machine::core() const {
  if (core_ == nullptr) [[unlikely]]
    throw ActorError("heddle: the constructor of a machine cannot act; do it in the entry action of its start state");
  return *core_;
}

System& Machine::system() const { return core().system(); }
MachineId Machine::self() const { return core().id(); }

void Machine::send_box(MachineId to, EventBox* box, SendOptions options) {
  if (!to) [[unlikely]] {
    const std::string event(box->type->name);
    core_->system().release(box);
    throw ActorError(core_->who() + " sends " + event + " to nobody: the MachineId is empty");
  }
  box->sender = core_->number();
  core_->system().backend().send(core_, to, box, options, __builtin_return_address(0));
}

void Machine::wish(Wish what, const TypeInfo* state, EventBox* box) { core().wish(what, state, box); }

TimerId Machine::start_timer_box(std::chrono::nanoseconds delay, std::chrono::nanoseconds period, EventBox* box) {
  core_->log(LogRecord::What::timer_started, box->type->name);
  return core_->system().backend().start_timer(*core_, delay, period, box);
}

void Machine::stop_timer(TimerId timer) {
  core().log(LogRecord::What::timer_stopped);
  core_->system().backend().stop_timer(*core_, timer);
}

std::uint32_t Machine::choose(std::uint32_t bound) {
  if (bound == 0) throw ActorError(core().who() + " calls choose(0): there is no value below 0 to choose");
  return core().system().backend().choose(core(), bound, false);
}

bool Machine::inject_failure() { return core().system().backend().choose(core(), 2, true) == 1; }
void Machine::log(std::string_view text) { core().log(LogRecord::What::text, {}, text); }
void Machine::violated(std::string_view message) { core().violated(message); }

// --- Monitor -----------------------------------------------------------------------------------------------------

System& Monitor::system() const { return core_->system(); }
void Monitor::wish(Wish what, const TypeInfo* state, EventBox* box) { core_->wish(what, state, box); }
void Monitor::violated(std::string_view message) { core_->violated(message); }

// --- called by the templates in the headers ------------------------------------------------------------------------

namespace actor {

void* allocate_event(System& system, std::size_t bytes) { return system.backend().allocate(bytes); }

MachineId create(System& system, MachineCore* creator, const Table& table, std::string_view name, Factory factory,
                 const void* place) {
  Backend& backend = system.backend();
  backend.before_create(creator, place);
  Machine* const object = factory.make(factory.arguments);
  MachineCore& made = backend.enroll(system, table, name);
  made.set_object(object);
  made.log(LogRecord::What::created, {}, name, creator != nullptr ? creator->id() : MachineId());
  const MachineId id = made.id();
  backend.begin(made);
  return id;
}

bool begin_receive(MachineCore& core, Receive& receive) { return core.begin_receive(receive); }

void tell(System& system, const TypeInfo& monitor, const EventType& type, const void* event) {
  MonitorCore* const told = system.monitor(monitor);
  if (told == nullptr) return;
  told->tell(type, event);
}

}  // namespace actor
}  // namespace heddle
