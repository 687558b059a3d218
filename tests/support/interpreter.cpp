#include "support/interpreter.hpp"

#include <algorithm>
#include <cerrno>

#include "base/hash.hpp"

namespace heddle::test {

using engine::kNever;
using model::Event;
using model::EventKind;
using model::Resource;
using model::ResourceKind;

namespace {

bool must_be_admitted(EventKind kind) {
  switch (kind) {
    case EventKind::lock:
    case EventKind::timed_lock:
    case EventKind::relock:
    case EventKind::read_lock:
    case EventKind::timed_read_lock:
    case EventKind::write_lock:
    case EventKind::timed_write_lock:
    case EventKind::acquire:
    case EventKind::timed_acquire:
    case EventKind::join:
      return true;
    default:
      return false;
  }
}

bool is_timed(EventKind kind) {
  return kind == EventKind::timed_lock || kind == EventKind::timed_read_lock || kind == EventKind::timed_write_lock ||
         kind == EventKind::timed_acquire;
}

}  // namespace

bool operator==(const Result& a, const Result& b) {
  return a.verdict.kind == b.verdict.kind && a.verdict.operation == b.verdict.operation && a.schedule == b.schedule &&
         a.steps == b.steps && a.memory == b.memory;
}

Interpreter::Interpreter(const Program& program, engine::Settings settings)
    : program_(complete(program)), settings_(settings) {
  const auto& bodies = program_.operations;
  for (const auto& body : bodies)
    code_.push_back(static_cast<std::uint32_t>(std::find(bodies.begin(), bodies.end(), body) - bodies.begin()));
}

const void* Interpreter::place(OperationId id) const {
  if (program_.one_place_a_kind) return &meaning(action(id).what);
  const Operation& operation = operations_[index(id)];
  return &program_.operations[code_[operation.body]][operation.at];
}

const Action& Interpreter::action(OperationId id) const {
  const Operation& operation = operations_[index(id)];
  return program_.operations[operation.body][operation.at];
}

ResourceId Interpreter::resource_of(const Action& action) const {
  const ResourceKind kind = meaning(action.what).object;
  if (kind == ResourceKind::kCount) return kNoResource;
  return ResourceId{first_[static_cast<std::size_t>(kind)] + action.object};
}

ResourceId Interpreter::mutex(std::uint32_t which) const {
  return ResourceId{first_[static_cast<std::size_t>(ResourceKind::mutex)] + which};
}

ResourceId Interpreter::life(std::uint32_t body) const {
  return ResourceId{first_[static_cast<std::size_t>(ResourceKind::operation)] + body};
}

Event Interpreter::event(OperationId id) const {
  const Operation& operation = operations_[index(id)];
  const Action& next = action(id);
  switch (operation.phase) {
    case Phase::waiting:
      return {EventKind::wake, resource_of(next), place(id)};
    case Phase::relocking:
      return {EventKind::relock, mutex(next.other), place(id)};
    case Phase::leaving:
      return {EventKind::leave, resource_of(next), place(id)};
    case Phase::acting:
      break;
  }
  return {meaning(next.what).event, resource_of(next), place(id)};
}

void Interpreter::add_resources() {
  const auto add = [&](ResourceKind kind, std::size_t count, auto initialise) {
    first_[static_cast<std::size_t>(kind)] = scheduler_.resource_count();
    for (std::uint32_t i = 0; i < count; ++i) {
      // An address of its own, as an object has.
      const void* const address = reinterpret_cast<void*>(std::uintptr_t{scheduler_.resource_count()} + 1);
      initialise(resource(scheduler_.add_resource(kind, address)), i);
    }
  };
  const auto as_made = [](Resource&, std::uint32_t) {};
  add(ResourceKind::mutex, program_.mutexes.size(),
      [&](Resource& made, std::uint32_t i) { made.mutex = model::Mutex(program_.mutexes[i]); });
  add(ResourceKind::semaphore, program_.semaphores.size(),
      [&](Resource& made, std::uint32_t i) { made.semaphore = model::Semaphore(program_.semaphores[i]); });
  add(ResourceKind::barrier, program_.barriers.size(),
      [&](Resource& made, std::uint32_t i) { made.barrier = model::Barrier(program_.barriers[i]); });
  add(ResourceKind::read_write_lock, program_.read_write_locks, as_made);
  add(ResourceKind::condition, program_.conditions, as_made);
  add(ResourceKind::variable, program_.memory.size(), as_made);
  add(ResourceKind::operation, program_.operations.size(), as_made);
}

Result Interpreter::run(engine::Chooser chooser, Watcher* watcher) {
  scheduler_.begin(settings_, chooser, nullptr);
  operations_.clear();
  steps_.clear();
  memory_ = program_.memory;
  verdict_ = {};
  add_resources();
  begin_operation(kNoOperation, 0);
  for (;;) {
    if (scheduler_.steps() >= settings_.steps_max && scheduler_.live_count() > 0) {
      fail(chooser.strategy->is_fair() ? VerdictKind::livelock : VerdictKind::cut, kNoOperation, "no end");
      break;
    }
    if (watcher) watcher->before_pick(scheduler_);
    const OperationId id = scheduler_.pick();
    if (watcher) watcher->picked(id);
    if (id == kNoOperation) {
      verdict_ = stuck();
      break;
    }
    steps_.push_back({id, scheduler_.next(id).kind});
    chosen_ = 0;
    take_step(id);
    if (watcher) watcher->applied(id, chosen_);
    if (verdict_.is_failure()) break;
  }
  const auto schedule = scheduler_.schedule();
  chooser.strategy->end({verdict_, scheduler_.steps(), schedule, 0, 0, scheduler_.left_out_unfair()});
  return {verdict_, Schedule(schedule.begin(), schedule.end()), steps_, memory_};
}

Verdict Interpreter::stuck() const {
  Verdict verdict;
  if (scheduler_.live_count() == 0) return verdict;
  verdict.kind = VerdictKind::deadlock;
  verdict.set_text("nobody can go on");
  return verdict;
}

void Interpreter::fail(VerdictKind kind, OperationId id, const char* text) {
  verdict_.kind = kind;
  verdict_.operation = id;
  verdict_.set_text(text);
}

void Interpreter::begin_operation(OperationId parent, std::uint32_t body) {
  Operation operation;
  operation.body = body;
  operation.holds.resize(program_.read_write_locks);
  operations_.push_back(operation);
  const OperationId id{static_cast<std::uint32_t>(operations_.size() - 1)};
  scheduler_.add_operation(parent, event(id));
  resource(life(body)).lifetime = model::Lifetime(id, false);
  go_on(id);
}

void Interpreter::take_step(OperationId id) {
  Operation& operation = state(id);
  switch (operation.phase) {
    case Phase::waiting:  // it was not signalled: it timed out, or woke for no reason
      stop_waiting(id);
      operation.register_value = operation.timed ? ETIMEDOUT : 0;
      operation.phase = Phase::relocking;
      publish(id);
      return;
    case Phase::relocking: {
      const ResourceId lock = mutex(action(id).other);
      resource(lock).mutex.reacquire(id, operation.mutex_depth);
      scheduler_.changed(lock);
      operation.phase = Phase::acting;
      break;
    }
    case Phase::leaving:
      operation.phase = Phase::acting;
      break;
    case Phase::acting:
      act(id);
      if (operations_[index(id)].phase != Phase::acting || verdict_.is_failure()) return;
      break;
  }
  ++state(id).at;
  go_on(id);
}

// The meaning of every action. Those that do not end here set the phase.
void Interpreter::act(OperationId id) {
  const Action now = action(id);
  const Event event = this->event(id);
  Operation& operation = state(id);
  std::int64_t& out = operation.register_value;
  switch (now.what) {
    case Do::step:
    case Do::yield:
    case Do::sleep:
    case Do::join:
      return;
    case Do::read:
      out = memory_[now.object];
      return;
    case Do::write:
      memory_[now.object] = now.value;
      return;
    case Do::store:
      memory_[now.object] = out + now.value;
      return;
    case Do::copy:
      memory_[now.other] = memory_[now.object];
      return;
    case Do::check:
      if (!program_.checks[now.object](memory_)) fail(VerdictKind::assertion, id, "check");
      return;
    case Do::loop_until:
      if (memory_[now.object] != now.value) operation.at = now.other - 1;  // go_on adds one
      return;
    case Do::unlock:
      resource(event.resource).mutex.unlock(id);
      return scheduler_.changed(event.resource);
    case Do::read_write_unlock:
      --operation.holds[now.object];
      resource(event.resource).read_write_lock.unlock(id);
      return scheduler_.changed(event.resource);
    case Do::release:
      resource(event.resource).semaphore.release();
      return scheduler_.changed(event.resource);
    case Do::wait:
    case Do::timed_wait:
      return begin_wait(id, now);
    case Do::signal: {
      const std::uint32_t waiting = resource(event.resource).condition.waiters().size();
      if (waiting == 0) return;
      if (settings_.choose_waiter) chosen_ = scheduler_.choose_value(waiting);
      return wake(event.resource, chosen_);
    }
    case Do::broadcast:
      while (!resource(event.resource).condition.waiters().empty()) wake(event.resource, 0);
      return;
    case Do::arrive:
      return arrive(id, event.resource);
    case Do::create:
      for (std::uint32_t i = 0; i < now.value; ++i) begin_operation(id, now.object + i);
      return;
    case Do::choose:
      out = chosen_ = scheduler_.choose_value(now.value);
      return;
    default:
      out = scheduler_.expired() ? ETIMEDOUT : take(id, event.resource, event.kind);
      if (out == 0 && resource(event.resource).kind == ResourceKind::read_write_lock) ++operation.holds[now.object];
      return;
  }
}

int Interpreter::take(OperationId id, ResourceId what, EventKind kind) {
  Resource& from = resource(what);
  int result = 0;
  switch (kind) {
    case EventKind::lock:
    case EventKind::timed_lock:
      result = from.mutex.lock(id);
      break;
    case EventKind::try_lock:
      result = from.mutex.try_lock(id);
      break;
    case EventKind::read_lock:
    case EventKind::timed_read_lock:
      result = from.read_write_lock.read_lock(id);
      break;
    case EventKind::try_read_lock:
      result = from.read_write_lock.try_read_lock(id);
      break;
    case EventKind::write_lock:
    case EventKind::timed_write_lock:
      result = from.read_write_lock.write_lock(id);
      break;
    case EventKind::try_write_lock:
      result = from.read_write_lock.try_write_lock(id);
      break;
    case EventKind::try_acquire:
      result = from.semaphore.try_acquire();
      break;
    default:
      from.semaphore.acquire();
      break;
  }
  scheduler_.changed(what);
  return result;
}

void Interpreter::begin_wait(OperationId id, const Action& wait) {
  const ResourceId lock = mutex(wait.other);
  Operation& operation = state(id);
  operation.mutex_depth = resource(lock).mutex.release_all();
  scheduler_.changed(lock);
  resource(resource_of(wait)).condition.waiters().push(scheduler_.links(), id);
  operation.phase = Phase::waiting;
  operation.timed = wait.what == Do::timed_wait;
  publish(id);
}

void Interpreter::stop_waiting(OperationId id) {
  resource(resource_of(action(id))).condition.waiters().remove(scheduler_.links(), id);
}

void Interpreter::wake(ResourceId condition, std::uint32_t position) {
  const OperationId woken = resource(condition).condition.waiters().at(scheduler_.links(), position);
  stop_waiting(woken);
  state(woken).register_value = 0;
  state(woken).phase = Phase::relocking;
  publish(woken);
}

void Interpreter::arrive(OperationId id, ResourceId barrier) {
  model::WaitQueue& waiters = resource(barrier).barrier.waiters();
  if (!resource(barrier).barrier.completes()) {
    waiters.push(scheduler_.links(), id);
    state(id).phase = Phase::leaving;
    return scheduler_.stand_blocked(id, event(id));
  }
  while (!waiters.empty()) {
    const OperationId free = waiters.front();
    waiters.remove(scheduler_.links(), free);
    scheduler_.stand(free, event(free));
  }
}

bool Interpreter::passes_over(OperationId id) {
  const Action& next = action(id);
  const auto holds = [&](std::uint32_t which) { return resource(mutex(which)).mutex.owner() == id; };
  switch (next.what) {
    case Do::unlock:
      return !holds(next.object);
    case Do::wait:
    case Do::timed_wait:
      return !holds(next.other);
    case Do::read_write_unlock:
      return state(id).holds[next.object] == 0;
    default:
      return false;
  }
}

void Interpreter::go_on(OperationId id) {
  Operation& operation = state(id);
  const std::uint32_t body = operation.body;
  const std::size_t end = program_.operations[body].size();
  while (operation.at < end && passes_over(id)) ++operation.at;
  if (operation.at < end) return publish(id);
  resource(life(body)).lifetime.end();
  scheduler_.changed(life(body));
  scheduler_.end_operation(id);
}

void Interpreter::publish(OperationId id) {
  const Event next = event(id);
  const std::uint64_t deadline = scheduler_.now() + action(id).value;
  if (next.kind == EventKind::sleep)
    scheduler_.stand_blocked(id, next, deadline);
  else if (next.kind == EventKind::wake)
    scheduler_.stand_blocked(id, next, state(id).timed ? deadline : kNever, settings_.spurious_wakeups);
  else if (must_be_admitted(next.kind))
    scheduler_.stand_before(id, next, is_timed(next.kind) ? deadline : kNever);
  else
    scheduler_.stand(id, next);
}

std::uint64_t explore(const Program& program, strategy::Strategy& strategy, std::uint64_t seed,
                      std::uint64_t executions, const std::function<bool(const Result&)>& each,
                      engine::Settings settings) {
  Interpreter interpreter(program, settings);
  for (std::uint64_t done = 0; done < executions; ++done) {
    Random random(combine(seed, done));
    if (!strategy.begin(random)) return done;
    if (!each(interpreter.run(strategy))) return done + 1;
  }
  return executions;
}

Result run_once(const Program& program, strategy::Strategy& strategy, std::uint64_t seed, engine::Settings settings) {
  Result only;
  explore(
      program, strategy, seed, 1,
      [&](const Result& result) {
        only = result;
        return true;
      },
      settings);
  return only;
}

}  // namespace heddle::test
