#include "actor/production/crew.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/arch/x86_64/spin_pause.hpp"

namespace heddle::actor {
namespace {

constexpr std::uint32_t kFavoursMax = 16;      // turns of `next` in a row while others are ready
constexpr std::uint64_t kQueueEvery = 61;      // turns; prime, so that it does not align with other periods
constexpr std::uint64_t kSampleEvery = 32;     // turns between two reads of the clock, which take 25 ns; fewer at first
constexpr std::int64_t kCoarse_ns = 150;       // for an event: more than it costs to come from another processor
constexpr std::int64_t kLongWait_ns = 10'000;  // for coarse work; waking a thread costs half of it on both sides
constexpr std::int64_t kVeryLongWait_ns = 250'000;  // for fine work
constexpr std::uint32_t kRounds = 16;               // of searching before it sleeps, 3 microseconds in all
constexpr std::uint32_t kPauses = 8;
constexpr std::chrono::milliseconds kWatchEvery{1};

}  // namespace

thread_local constinit Worker* Crew::current = nullptr;

Crew::Crew(std::uint32_t threads, std::uint64_t seed, std::function<void(Worker&, ProductionMachine&)> run,
           std::function<void()> slack)
    : run_(std::move(run)), slack_(std::move(slack)) {
  for (std::uint32_t index = 0; index < threads; ++index)
    workers_.push_back(std::make_unique<Worker>(*this, index, combine(seed, index)));
  for (const auto& worker : workers_) worker->thread = std::thread([this, &worker] { live(*worker); });
}

void Crew::stop() {
  is_stopping_.store(true, std::memory_order_seq_cst);
  for (const auto& worker : workers_) worker->parking.wake();
  for (const auto& worker : workers_)
    if (worker->thread.joinable()) worker->thread.join();
}

// --- where machines become ready ---------------------------------------------------------------------------------

// A worker that is still in the turn in which it was given a machine may be there for long.
void Crew::go_on(Worker& here, ProductionMachine& machine) {
  Worker* const away = here.pace.stint != 0 && here.pace.event < kCoarse_ns ? here.away() : nullptr;
  if (away == nullptr) [[likely]]
    return later(here, machine);
  const std::uint64_t turn = away->turns.load(std::memory_order_relaxed);
  if (here.gave_to == away && here.gave_at == turn) return later(here, machine);
  here.gave_to = away;
  here.gave_at = turn;
  hand_over(*away, machine);
}

/// If the other worker sleeps, it wakes; if it is about to, it sees that it was given something.
void Crew::hand_over(Worker& to, ProductionMachine& machine) {
  to.give(machine);
  if (!to.parking.is_lying()) return;
  searching_.fetch_add(1, std::memory_order_seq_cst);
  if (to.parking.wake()) return;
  searching_.fetch_sub(1, std::memory_order_seq_cst);
  if (is_work_around()) wake_one();  // another worker may have relied on this search
}

void Crew::unpack_given(Worker& worker) {
  for (ProductionMachine* one = worker.take_given(); one != nullptr;) {
    ProductionMachine* const after = one->next_ready;  // once in the ring, it may be stolen and run
    later(worker, *one);
    one = after;
  }
}

void Crew::later(Worker& here, ProductionMachine& machine) {
  if (!here.ring.put(&machine)) [[unlikely]]
    overflow(here, machine);
  offer(here);
}

void Crew::ready_outside(ProductionMachine& machine) {
  queue_.put(&machine, &machine, 1);
  wake_one();
}

/// Half of the ring and the machine that did not fit go to the shared queue.
void Crew::overflow(Worker& here, ProductionMachine& machine) {
  ProductionMachine* first = &machine;
  ProductionMachine* last = nullptr;
  std::uint32_t count = 0;
  for (std::uint64_t half = here.ring.size() / 2; count < half; ++count) {
    ProductionMachine* const one = here.ring.take();
    if (one == nullptr) break;
    (last != nullptr ? last->next_ready : first) = one;
    last = one;
  }
  if (last != nullptr) last->next_ready = &machine;
  queue_.put(first, &machine, count + 1);
}

void Crew::Queue::put(ProductionMachine* first, ProductionMachine* last, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  last->next_ready = nullptr;
  (first_ != nullptr ? last_->next_ready : first_) = first;
  last_ = last;
  size_.fetch_add(count, std::memory_order_seq_cst);
}

ProductionMachine* Crew::Queue::take(Worker& by, std::uint32_t share_of) {
  constexpr std::uint32_t kShareMax = 64;
  const std::lock_guard lock(mutex_);
  if (first_ == nullptr) return nullptr;
  ProductionMachine* const taken = first_;
  first_ = taken->next_ready;
  std::uint32_t count = 1;
  for (const std::uint32_t share = std::min(kShareMax, size_.load(std::memory_order_relaxed) / share_of);
       count < share && first_ != nullptr; ++count) {
    ProductionMachine* const one = first_;
    ProductionMachine* const after = one->next_ready;  // once in the ring, it may be stolen and run
    if (!by.ring.put(one)) break;
    first_ = after;
  }
  size_.fetch_sub(count, std::memory_order_seq_cst);
  return taken;
}

// --- who wakes whom ----------------------------------------------------------------------------------------------

void Crew::offer(Worker& here) {
  if (sleeping_.load(std::memory_order_seq_cst) == 0 || searching_.load(std::memory_order_seq_cst) != 0) return;
  if (has_to_share(here) || !is_watched_.load(std::memory_order_seq_cst)) wake_one();
}

bool Crew::has_to_share(const Worker& worker) {
  return worker.ring.size() > worker.keeps.load(std::memory_order_relaxed);
}

/// Does nothing if a worker is searching already: that worker finds the work, and offers what is left.
void Crew::wake_one() {
  while (sleeping_.load(std::memory_order_seq_cst) != 0 && !is_stopping()) {
    std::uint32_t none = 0;
    if (!searching_.compare_exchange_strong(none, 1, std::memory_order_seq_cst)) return;
    for (const auto& worker : workers_)
      if (worker->parking.wake()) return;
    searching_.fetch_sub(1, std::memory_order_seq_cst);
    if (!is_work_around()) return;  // another worker may have relied on this search
  }
}

bool Crew::is_work_around() const {
  if (!queue_.empty()) return true;
  for (const auto& worker : workers_)
    if (has_to_share(*worker)) return true;
  return false;
}

// --- the life of a worker ----------------------------------------------------------------------------------------

void Crew::live(Worker& worker) {
  current = &worker;
  while (ProductionMachine* const machine = next(worker)) run_(worker, *machine);
  current = nullptr;
}

ProductionMachine* Crew::next(Worker& worker) {
  if (is_stopping()) [[unlikely]]
    return nullptr;
  const std::uint64_t turns = worker.turns.load(std::memory_order_relaxed) + 1;
  worker.turns.store(turns, std::memory_order_relaxed);
  if (turns >= worker.next_sample) sample(worker, turns);
  const auto threads = static_cast<std::uint32_t>(workers_.size());
  if (turns % kQueueEvery == 0 && !queue_.empty())
    if (ProductionMachine* const machine = queue_.take(worker, threads)) return machine;
  if (worker.favours < kFavoursMax) {
    if (ProductionMachine* const machine = worker.exchange_next(nullptr)) {
      ++worker.favours;
      return machine;
    }
  }
  worker.favours = 0;
  ++worker.stints;
  unpack_given(worker);
  if (ProductionMachine* const machine = worker.ring.take()) return machine;
  if (ProductionMachine* const machine = worker.exchange_next(nullptr)) return machine;
  if (!queue_.empty())
    if (ProductionMachine* const machine = queue_.take(worker, threads)) return machine;
  return search(worker);
}

// A pace counts only if two samples in a row agree: in one of them the kernel may have run something else here.
void Crew::sample(Worker& worker, std::uint64_t turns) {
  worker.next_sample = turns + worker.sample_after;
  worker.sample_after = std::min(2 * worker.sample_after, kSampleEvery);
  const std::int64_t now = std::chrono::steady_clock::now().time_since_epoch().count();
  const auto since = [](std::uint64_t count, std::uint64_t& last) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(count - std::exchange(last, count)));
  };
  const std::int64_t stints = since(worker.stints, worker.stints_at_sample);
  const std::int64_t events = since(worker.work(), worker.work_at_sample);
  const std::int64_t begun = std::exchange(worker.clock_at_sample, now);
  if (begun == 0) return;
  const Pace pace{std::max<std::int64_t>(1, (now - begun) / stints), (now - begun) / events};
  const Pace last = std::exchange(worker.pace, pace);
  if (last.stint == 0) return;
  const std::int64_t worth = std::min(pace.event, last.event) < kCoarse_ns ? kVeryLongWait_ns : kLongWait_ns;
  const std::int64_t keeps = (worth - 1) / std::min(pace.stint, last.stint);
  worker.keeps.store(static_cast<std::uint64_t>(keeps), std::memory_order_relaxed);
}

/// The worker has slept: what it does next may be something else.
void Crew::forget_pace(Worker& worker) {
  worker.pace = {};
  worker.clock_at_sample = 0;
  worker.next_sample = 0;
  worker.sample_after = 1;
}

/// Null: the crew stops.
ProductionMachine* Crew::search(Worker& worker) {
  searching_.fetch_add(1, std::memory_order_seq_cst);
  const std::uint32_t rounds = workers_.size() > 1 ? kRounds : 1;
  for (;;) {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      if (ProductionMachine* const machine = steal(worker)) {
        if (searching_.fetch_sub(1, std::memory_order_seq_cst) == 1) offer(worker);
        return machine;
      }
      for (std::uint32_t i = 0; i < kPauses; ++i) spin_pause();
    }
    if (!sleep(worker)) return nullptr;
    forget_pace(worker);
  }
}

ProductionMachine* Crew::steal(Worker& thief) {
  if (ProductionMachine* const rescued = thief.exchange_next(nullptr)) return rescued;
  unpack_given(thief);
  if (ProductionMachine* const machine = thief.ring.take()) return machine;
  const auto count = static_cast<std::uint32_t>(workers_.size());
  if (!queue_.empty())
    if (ProductionMachine* const machine = queue_.take(thief, count)) return machine;
  const std::uint32_t begin = count > 1 ? thief.random.below(count) : 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    Worker& victim = *workers_[(begin + i) % count];
    if (&victim == &thief || !has_to_share(victim)) continue;
    if (ProductionMachine* const machine = victim.ring.steal(thief.ring)) return machine;
  }
  return nullptr;
}

/// Returns in the searching state; false: the crew stops.
bool Crew::sleep(Worker& worker) {
  worker.parking.lie_down();
  sleeping_.fetch_add(1, std::memory_order_seq_cst);
  searching_.fetch_sub(1, std::memory_order_seq_cst);
  if (is_work_around() || worker.has_been_given() || is_stopping_.load(std::memory_order_seq_cst)) {
    get_up(worker);
  } else {
    slack_();
    lie(worker);
  }
  // The worker does this itself, so that a worker that runs a machine counts as awake: the watcher relies on that.
  sleeping_.fetch_sub(1, std::memory_order_seq_cst);
  return !is_stopping();
}

void Crew::get_up(Worker& worker) {
  if (worker.parking.get_up()) searching_.fetch_add(1, std::memory_order_seq_cst);  // else the worker that woke it did
}

void Crew::lie(Worker& worker) {
  const auto everybody = static_cast<std::uint32_t>(workers_.size());
  bool watches = false;
  for (;;) {
    watches = watches || (sleeping_.load(std::memory_order_seq_cst) != everybody &&
                          !is_watched_.exchange(true, std::memory_order_seq_cst));
    if (watches ? worker.parking.sleep(kWatchEvery) : worker.parking.sleep()) break;
    if (!watches) continue;
    if (is_work_around() || rescue(worker)) {
      get_up(worker);
      break;
    }
    if (sleeping_.load(std::memory_order_seq_cst) != everybody) continue;
    is_watched_.store(false, std::memory_order_seq_cst);  // there is nothing to watch
    watches = false;
  }
  if (watches) is_watched_.store(false, std::memory_order_seq_cst);
}

/// Takes over the next machine of a worker that has been in one action since the last check. One that has been so slow
/// that it has not measured its pace since then has to share what is in its ring.
bool Crew::rescue(Worker& watcher) {
  for (const auto& worker : workers_) {
    const std::uint64_t turns = worker->turns.load(std::memory_order_relaxed);
    const std::uint64_t taken = turns - std::exchange(worker->watched_turns, turns);
    if (taken < 2 * kSampleEvery && (worker->ring.size() != 0 || worker->has_been_given())) {
      worker->keeps.store(0, std::memory_order_relaxed);
      for (ProductionMachine* one = worker->take_given(); one != nullptr;)
        watcher.give(*std::exchange(one, one->next_ready));
      return true;
    }
    if (taken != 0 || !worker->has_next()) continue;
    ProductionMachine* const machine = worker->steal_next();
    if (machine == nullptr) continue;
    watcher.exchange_next(machine);
    return true;
  }
  return false;
}

}  // namespace heddle::actor
