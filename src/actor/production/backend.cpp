#include "actor/production/backend.hpp"

#include <sys/random.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "actor/production/blocks.hpp"

namespace heddle::actor {
namespace {

// How many events a machine handles and sends in one turn: as many as its inbox holds at the start of the turn, within
// these bounds. This lets a machine with many senders keep up with them.
constexpr std::size_t kTurnMin = 64;
constexpr std::size_t kTurnMax = 1024;

std::uint32_t threads_of(const RuntimeOptions& options) {
  return options.threads != 0 ? options.threads : std::max(1u, std::thread::hardware_concurrency());
}

ProductionAddress& address_of(MachineId id) { return static_cast<ProductionAddress&>(*Address::of(id)); }

std::uint64_t seed_of(const RuntimeOptions& options) {
  if (options.seed != 0) return options.seed;
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed)
    seed = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return seed;
}

}  // namespace

std::unique_ptr<Backend> make_production_backend(const RuntimeOptions& options) {
  return std::make_unique<ProductionBackend>(options);
}

ProductionBackend::ProductionBackend(const RuntimeOptions& options)
    : options_(options),
      seed_(seed_of(options)),
      bounds_(options),
      random_(combine(seed_, ~0ull)),
      timers_([this](MachineId of, EventBox* box, bool is_last) { fire(of, box, is_last); },
              [this](const EventBox& box) { return box.type->copy(box, allocate(box.type->bytes)); }),
      crew_(
          threads_of(options), seed_, [this](Worker& here, ProductionMachine& machine) { run(here, machine); },
          [this] { tell_waiting(); }) {}

ProductionBackend::~ProductionBackend() {
  end(true);
  population_.clear();  // while the backend still exists to take back their blocks
}

void* ProductionBackend::allocate(std::size_t bytes) { return Blocks::allocate(bytes); }
void ProductionBackend::release(void* block, std::size_t bytes) noexcept { Blocks::release(block, bytes); }

// --- machines ----------------------------------------------------------------------------------------------------

MachineCore& ProductionBackend::enroll(System& system, const Table& table, std::string_view name) {
  ProductionMachine& machine = population_.make(system, table, name);
  if (bounds_.are_set()) bounds_.open(machine.address);
  return machine;
}

void ProductionBackend::begin(MachineCore& machine) {
  auto& made = static_cast<ProductionMachine&>(machine);
  population_.add(made);
  if (has_ended_.load(std::memory_order_seq_cst)) return made.close();
  const State& start = made.table().state(made.table().start());
  if (!start.entry && !start.idle) {  // no code of the program runs before the first event
    made.has_started = true;
    made.start();
    if (made.address.mailbox.rest()) return;
  }
  Worker* const here = crew_.here();
  count(here, &Tally::woken);
  crew_.ready(here, made);
}

void ProductionBackend::run(Worker& here, ProductionMachine& machine) {
  if (!machine.has_started) {
    machine.has_started = true;
    machine.start();
  }
  if (!machine.has_halted()) machine.collect();
  here.begin_turn(machine.address);
  const std::uint64_t done = here.work() + std::clamp(machine.inbox().size(), kTurnMin, kTurnMax);
  for (;;) {
    if (crew_.is_stopping()) [[unlikely]]
      return;
    if (machine.sent_to_full != nullptr && !machine.has_halted() && bounds_.waits(machine)) return;
    if (here.work() >= done) return crew_.go_on(here, machine);
    const std::uint64_t handled = machine.events_handled();
    const bool has_stepped = machine.step();
    if (bounds_.are_set()) {
      const auto taken = static_cast<std::uint32_t>(machine.events_handled() - handled);
      const std::uint32_t gone = taken + std::exchange(machine.strays, 0);
      if (gone != 0) ready_all(bounds_.left(machine.address, gone));
    }
    if (has_stepped) {
      here.count_step();
    } else if (machine.has_halted()) {
      population_.remove(machine);
      break;
    } else if (machine.collect()) {
      continue;
    } else if (machine.wants_idle()) {
      here.count_step();
      machine.idle();
    } else {
      ProductionAddress& address = machine.address;  // remains valid after the machine rests and another worker runs it
      if (!address.mailbox.rest()) continue;
      if (bounds_.are_set()) ready_all(bounds_.rests(address));
      break;
    }
  }
  here.count(&Tally::rested);
}

void ProductionBackend::ready_all(ProductionMachine* first) {
  Worker* const here = crew_.here();
  while (first != nullptr) {
    ProductionMachine* const next = first->next_ready;
    crew_.ready(here, *first);
    first = next;
  }
}

void ProductionBackend::halting(MachineCore& machine) {
  auto& mine = static_cast<ProductionMachine&>(machine);
  mine.close();
  if (bounds_.are_set())
    mine.address.held.fetch_sub(static_cast<std::uint32_t>(mine.inbox().size()), std::memory_order_seq_cst);
}

void ProductionBackend::halted(MachineCore& machine) {
  auto& mine = static_cast<ProductionMachine&>(machine);
  machines_halted_.fetch_add(1, std::memory_order_relaxed);
  if (bounds_.are_set()) ready_all(bounds_.closed(mine.address));
  if (!mine.has_had_timers) return;
  for (const auto& timer : timers_.stop_all(mine)) stopped(*timer);
}

// --- events ------------------------------------------------------------------------------------------------------

void ProductionBackend::send(MachineCore* from, MachineId to, EventBox* box, const SendOptions& options, const void*) {
  box->must_handle = options.must_handle;
  box->at_most = static_cast<std::uint16_t>(std::min(options.at_most, 0xffffu));
  post(crew_.here(), static_cast<ProductionMachine*>(from), to, box, false);
}

void ProductionBackend::post(Worker* here, ProductionMachine* from, MachineId to, EventBox* box, bool is_timer) {
  ProductionAddress& target = address_of(to);
  count(here, &Tally::sent);
  target.system.log_sent(from, to, *box);
  if (target.number.load(std::memory_order_relaxed) != to.number()) [[unlikely]]
    return drop(to, box);
  if (bounds_.are_set() && !bounds_.admit(from, target, is_timer)) [[unlikely]]
    return refuse(to, box);
  box->identity = to.number();
  switch (target.mailbox.put(box)) {
    case Mailbox::Put::queued:
      if (here != nullptr) here->note_sent(target);
      return;
    case Mailbox::Put::woke:
      count(here, &Tally::woken);
      return crew_.ready(here, target.resident());
    case Mailbox::Put::closed:
      if (bounds_.are_set()) target.held.fetch_sub(1, std::memory_order_seq_cst);
      return drop(to, box);
  }
}

/// The machine has halted, and may be gone.
void ProductionBackend::drop(MachineId to, EventBox* box) {
  dropped_.fetch_add(1, std::memory_order_relaxed);
  address_of(to).system.drop(box, to, {});
}

/// The inbox is full.
void ProductionBackend::refuse(MachineId to, EventBox* box) {
  System& system = address_of(to).system;
  count(crew_.here(), &Tally::refused);
  const std::string event(box->type->name);
  const bool fails = box->must_handle || bounds_.when_full() == RuntimeOptions::WhenFull::fail;
  system.log({LogRecord::What::dropped, to, {}, {}, event, "inbox is full"});
  system.release(box);
  if (fails)
    fail(FailureKind::specification, to.text() + " has " + std::to_string(bounds_.inbox_max()) +
                                         " events in its inbox, and no more are to be there: " + event + " is dropped");
}

std::uint32_t ProductionBackend::choose(MachineCore&, std::uint32_t bound, bool is_failure) {
  if (is_failure) return 0;
  if (Worker* const here = crew_.here()) return here->random.below(bound);
  const std::lock_guard lock(random_mutex_);
  return random_.below(bound);
}

// --- timers ------------------------------------------------------------------------------------------------------

TimerId ProductionBackend::start_timer(MachineCore& of, std::chrono::nanoseconds delay, std::chrono::nanoseconds period,
                                       EventBox* box) {
  auto& machine = static_cast<ProductionMachine&>(of);
  machine.has_had_timers = true;
  if (period.count() == 0) count(crew_.here(), &Tally::woken);
  return {timers_.start(machine, delay, period, box)};
}

void ProductionBackend::stop_timer(MachineCore& of, TimerId id) {
  if (const auto timer = timers_.stop(static_cast<ProductionMachine&>(of), id.number)) stopped(*timer);
}

void ProductionBackend::stopped(const Timer& timer) {
  timer.of->system().release(timer.box);
  if (timer.period.count() == 0) count(crew_.here(), &Tally::rested);
}

void ProductionBackend::fire(MachineId of, EventBox* box, bool is_last) {
  post(nullptr, nullptr, of, box, true);
  if (!is_last) return;
  count(nullptr, &Tally::rested);
  tell_waiting();
}

// --- failures and monitors ---------------------------------------------------------------------------------------

void ProductionBackend::fail(FailureKind kind, const std::string& message) {
  failures_.fetch_add(1, std::memory_order_relaxed);
  if (options_.on_failure) return options_.on_failure({kind, message});
  std::fprintf(stderr, "heddle: %s: %s\n", std::string(name(kind)).c_str(), message.c_str());
  std::abort();
}

void ProductionBackend::enter(MonitorCore& monitor) { monitor.mutex().lock(); }
void ProductionBackend::leave(MonitorCore& monitor) { monitor.mutex().unlock(); }

// --- the end -----------------------------------------------------------------------------------------------------

void ProductionBackend::refuse_workers(const char* what) const {
  if (crew_.here() != nullptr)
    throw ActorError(std::string("heddle: a machine calls ") + what + " of its own runtime, which would wait for it");
}

void ProductionBackend::wait() {
  refuse_workers("wait or stop");
  waiting_.fetch_add(1, std::memory_order_acq_rel);
  {
    std::unique_lock lock(quiet_mutex_);
    quiet_.wait(lock, [&] { return has_ended_.load(std::memory_order_acquire) || is_quiet(); });
  }
  waiting_.fetch_sub(1, std::memory_order_acq_rel);
}

/// Called by a worker that is about to sleep, and after a timer has fired. It writes `waiting_`, so that either it sees
/// the waiting thread, or the waiting thread sees everything counted before.
void ProductionBackend::tell_waiting() {
  if (waiting_.fetch_add(0, std::memory_order_acq_rel) == 0) return;
  const std::lock_guard lock(quiet_mutex_);
  quiet_.notify_all();
}

std::uint64_t ProductionBackend::sum(std::atomic<std::uint64_t> Tally::*what) const {
  std::uint64_t sum = (outside_.*what).load(std::memory_order_acquire);
  for (const auto& worker : crew_.workers()) sum += (worker->tally.*what).load(std::memory_order_acquire);
  return sum;
}

// What is in the inboxes when the workers have ended is dropped: after a wait, only events that arrived since.
void ProductionBackend::end(bool) {
  refuse_workers("stop or abort");
  if (has_ended_.exchange(true, std::memory_order_seq_cst)) return;
  bounds_.end();
  crew_.stop();
  for (const auto& timer : timers_.end()) stopped(*timer);
  for_each([](MachineCore& machine) {
    static_cast<ProductionMachine&>(machine).close();
    machine.drop_all();
  });
  tell_waiting();
}

void ProductionBackend::for_each(const std::function<void(MachineCore&)>& function) {
  population_.for_each([&](ProductionMachine& machine) { function(machine); });
}

Metrics ProductionBackend::metrics() const {
  Metrics metrics;
  population_.count(metrics);
  metrics.machines_halted = machines_halted_.load(std::memory_order_relaxed);
  metrics.events_sent = sum(&Tally::sent);
  metrics.events_dropped += sum(&Tally::refused) + dropped_.load(std::memory_order_relaxed);
  metrics.failures = failures_.load(std::memory_order_relaxed);
  return metrics;
}

}  // namespace heddle::actor
