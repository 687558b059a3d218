#include "actor/controlled/backend.hpp"

#include "actor/controlled/pool.hpp"

// Defined in libheddle, if it is loaded.
extern "C" [[gnu::weak, gnu::visibility("default")]] const heddle::engine::Actors* heddle_actors();

namespace heddle::actor {
namespace {

using model::EventKind;

Pool pool;  // shared by all executions: its blocks are reused

VerdictKind verdict_of(FailureKind kind) {
  switch (kind) {
    case FailureKind::unhandled_event:
      return VerdictKind::unhandled_event;
    case FailureKind::exception:
      return VerdictKind::exception;
    case FailureKind::specification:
      return VerdictKind::specification;
    case FailureKind::assertion:
      return VerdictKind::assertion;
    case FailureKind::deadlock:
      return VerdictKind::deadlock;
    case FailureKind::misuse:
      return VerdictKind::misuse;
  }
  return VerdictKind::failed;
}

std::uint64_t as_ns(std::chrono::nanoseconds time) {
  return time.count() > 0 ? static_cast<std::uint64_t>(time.count()) : 0;
}

}  // namespace

std::unique_ptr<Backend> make_controlled_backend(const RuntimeOptions& options) {
  if (&heddle_actors == nullptr || !heddle_actors()->is_exploring()) return nullptr;
  return std::make_unique<ControlledBackend>(*heddle_actors(), options);
}

ControlledBackend::ControlledBackend(const engine::Actors& engine, const RuntimeOptions& options)
    : engine_(engine), machines_show_(engine.machines_show()) {
  quiet_ = engine_.add_inbox(this);
  if (engine_.is_fair())
    temperature_max_ = options.temperature_max != 0 ? options.temperature_max : engine_.steps_max() / 2;
}

void* ControlledBackend::allocate(std::size_t bytes) { return pool.allocate(bytes); }
void ControlledBackend::release(void* block, std::size_t bytes) noexcept { pool.release(block, bytes); }

void ControlledBackend::before_create(MachineCore* creator, const void* place) {
  if (creator != nullptr) observe(static_cast<ControlledMachine&>(*creator));
  engine_.step(EventKind::create, kNoResource, place);
}

MachineCore& ControlledBackend::enroll(System& system, const Table& table, std::string_view name) {
  const auto number = static_cast<std::uint32_t>(machines_.size() + 1);
  return *machines_.emplace_back(std::make_unique<ControlledMachine>(system, table, name, number));
}

void ControlledBackend::begin(MachineCore& machine) {
  auto& made = static_cast<ControlledMachine&>(machine);
  made.inbox_resource = engine_.add_inbox(&made);
  ++busy_;
  engine_.give(made.inbox_resource);
  made.operation = engine_.create(run_machine, &made);
  if (made.operation == kNoOperation) throw ActorError("heddle: no thread to be had for " + made.who());
  if (!engine_.is_recording()) return;
  engine_.name(made.operation, made.who());
  engine_.note(engine_.self(), name(LogRecord::What::created), made.operation, {});
}

void* ControlledBackend::run_machine(void* machine) {
  auto& mine = *static_cast<ControlledMachine*>(machine);
  static_cast<ControlledBackend&>(mine.system().backend()).live(mine);
  return nullptr;
}

/// The life of a machine, or what follows when it had come to rest.
void ControlledBackend::live(ControlledMachine& machine) {
  engine_.take(machine.inbox_resource);
  if (!std::exchange(machine.has_started, true)) machine.start();
  for (;;) {
    while (machine.step()) {
    }
    if (machine.has_halted()) break;
    if (!machine.wants_idle()) {
      stand(machine);
      continue;
    }
    observe(machine);
    engine_.step(EventKind::receive, machine.inbox_resource, nullptr);
    engine_.take(machine.inbox_resource);
    if (!machine.step()) machine.idle();
  }
  one_less_busy();
}

void ControlledBackend::stand(ControlledMachine& machine) {
  machine.stands = true;
  one_less_busy();
  observe(machine);
  engine_.rest(machine.inbox_resource);
  engine_.take(machine.inbox_resource);
}

void ControlledBackend::one_less_busy() {
  engine_.give(quiet_);
  if (--busy_ != 0) return;
  for (const OperationId who : waiting_) engine_.wake(who, quiet_);
  waiting_.clear();
}

void ControlledBackend::send(MachineCore* from, MachineId to, EventBox* box, const SendOptions& options,
                             const void* place) {
  auto& target = static_cast<ControlledMachine&>(*MachineCore::of(to));
  box->must_handle = options.must_handle;
  if (from != nullptr) observe(static_cast<ControlledMachine&>(*from));
  engine_.step(EventKind::send, target.inbox_resource, place);
  check_temperature(target.system());
  ++events_sent_;
  target.system().log_sent(from, to, *box);
  const EventType& type = *box->type;
  put(target, box);
  if (options.at_most == 0) [[likely]]
    return;
  const std::uint32_t count = target.inbox().count(type);
  if (count > options.at_most) fail(FailureKind::specification, target.too_many(type, count, options.at_most));
}

void ControlledBackend::put(ControlledMachine& to, EventBox* box) {
  if (to.has_halted() || has_ended_) [[unlikely]]
    return to.drop(box);
  const Does does = to.stands ? to.judge(*box) : Does::defer;
  to.deliver(box);
  engine_.give(to.inbox_resource);
  observe(to);
  if (!to.stands || does == Does::defer) return;
  if (does == Does::ignore) {
    to.step();
    return;
  }
  to.stands = false;
  ++busy_;
  engine_.wake(to.operation, to.inbox_resource);
}

std::uint32_t ControlledBackend::choose(MachineCore& who, std::uint32_t bound, bool is_failure) {
  observe(static_cast<ControlledMachine&>(who));
  return engine_.choose(bound, is_failure);
}

TimerId ControlledBackend::start_timer(MachineCore& of, std::chrono::nanoseconds delay, std::chrono::nanoseconds period,
                                       EventBox* box) {
  auto& machine = static_cast<ControlledMachine&>(of);
  Timer& timer =
      *timers_.emplace_back(std::make_unique<Timer>(Timer{this, &machine, box, as_ns(period), machine.timers}));
  machine.timers = &timer;
  if (timer.period_ns == 0) ++busy_;
  timer.operation = engine_.create_timer(run_timer, &timer, as_ns(delay));
  return {static_cast<std::uint32_t>(timers_.size())};
}

/// Called anew each time that the timer has slept.
void* ControlledBackend::run_timer(void* packed) {
  Timer& timer = *static_cast<Timer*>(packed);
  ControlledBackend& backend = *timer.backend;
  while (timer.runs) {
    EventBox* box = timer.box;
    if (timer.period_ns != 0)
      box = box->type->copy(*box, backend.allocate(box->type->bytes));
    else
      timer.box = nullptr;
    ++backend.events_sent_;
    backend.check_temperature(timer.of->system());
    timer.of->system().log_sent(timer.of, timer.of->id(), *box);
    backend.put(*timer.of, box);
    if (timer.period_ns == 0) {
      timer.runs = false;
      backend.one_less_busy();
    } else {
      backend.engine_.sleep(timer.period_ns);
    }
  }
  return nullptr;
}

void ControlledBackend::stop_timer(MachineCore& of, TimerId id) {
  if (id.number == 0 || id.number > timers_.size() || timers_[id.number - 1]->of != &of) return;
  stop(*timers_[id.number - 1]);
}

void ControlledBackend::stop(Timer& timer) {
  if (!timer.runs) return;
  timer.runs = false;
  engine_.stop_timer(timer.operation);
  timer.of->system().release(std::exchange(timer.box, nullptr));
  if (timer.period_ns == 0) one_less_busy();
}

void ControlledBackend::halted(MachineCore& machine) {
  ++machines_halted_;
  for (Timer* timer = static_cast<ControlledMachine&>(machine).timers; timer != nullptr; timer = timer->next)
    stop(*timer);
}

void ControlledBackend::fail(FailureKind kind, const std::string& message) { engine_.fail(verdict_of(kind), message); }

OperationId ControlledBackend::operation_of(MachineId id) const {
  const auto* const machine = static_cast<const ControlledMachine*>(MachineCore::of(id));
  return machine != nullptr ? machine->operation : engine_.self();
}

void ControlledBackend::log(const LogRecord& record) {
  using What = LogRecord::What;
  if (record.what == What::created) return;  // `begin` logs it: the operation does not exist yet
  std::string text(!record.event.empty() ? record.event : !record.text.empty() ? record.text : record.state);
  if (record.what == What::told) text.append(" to ").append(record.text);
  engine_.note(operation_of(record.machine), name(record.what),
               record.what == What::sent ? operation_of(record.other) : kNoOperation, text);
}

void ControlledBackend::wait() {
  while (busy_ != 0) {
    waiting_.push_back(engine_.self());
    engine_.stand(quiet_);
  }
  engine_.take(quiet_);
}

void ControlledBackend::end(bool drops) {
  has_ended_ = true;
  for (const auto& timer : timers_) stop(*timer);
  if (!drops) return;
  for (const auto& machine : machines_) machine->drop_all();
  wait();  // for the actions in progress
}

void ControlledBackend::for_each(const std::function<void(MachineCore&)>& function) {
  for (const auto& machine : machines_) function(*machine);
}

Metrics ControlledBackend::metrics() const {
  Metrics metrics;
  metrics.machines_created = machines_.size();
  metrics.machines_halted = machines_halted_;
  metrics.events_sent = events_sent_;
  for (const auto& machine : machines_) {
    metrics.events_handled += machine->events_handled();
    metrics.events_dropped += machine->events_dropped();
  }
  return metrics;
}

}  // namespace heddle::actor
