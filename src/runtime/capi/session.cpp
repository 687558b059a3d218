#include "runtime/capi/session.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

#include <charconv>
#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "base/arch/x86_64/thread_pointer.hpp"
#include "base/check.hpp"
#include "base/hash.hpp"
#include "base/raw.hpp"
#include "runtime/capi/error.hpp"
#include "runtime/capi/session_trace.hpp"
#include "strategy/table.hpp"

namespace heddle::runtime::capi {
namespace {

using model::EventKind;
using model::ResourceKind;

/// As raw::futex_wait, but waits no longer than `ns`.
void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t while_value, std::uint64_t ns) {
  const timespec time{static_cast<time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
  raw::syscall6(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE, static_cast<long>(while_value),
                reinterpret_cast<long>(&time), 0, 0);
}

const char* environment(const char* name) {
  const char* const value = ::secure_getenv(name);
  return value != nullptr && value[0] != '\0' ? value : nullptr;
}

bool read_number(const char* text, std::uint64_t& number) {
  const char* const end = text + std::strlen(text);
  const auto [stop, wrong] = std::from_chars(text, end, number);
  return wrong == std::errc() && stop == end;
}

/// The name in a trace: the number of the exploration in the process.
std::string exploration_name(std::uint32_t number) {
  return std::string(kExploration) + (number > 1 ? " " + std::to_string(number) : "");
}

}  // namespace

Session& session() {
  static Session* const the_one = new Session;
  return *the_one;
}

// --- the exploration -----------------------------------------------------------------------------------------------

heddle_code Session::open(const char* strategy, std::uint64_t seed) {
  const std::lock_guard guard(lock_);
  if (is_attached()) return error(HEDDLE_ALREADY_ATTACHED);
  const char* const elsewhere = environment("HEDDLE_STRATEGY");
  const char* const spec = elsewhere != nullptr ? elsewhere : strategy != nullptr ? strategy : "portfolio";
  if (const char* const text = environment("HEDDLE_SEED"); text != nullptr && !read_number(text, seed))
    return error(HEDDLE_BAD_ARGUMENT, "HEDDLE_SEED is `%s`, which is not a number that it can be", text);
  strategy::Parsed parsed = strategy::parse(spec);
  if (!parsed.strategy) return error(HEDDLE_BAD_STRATEGY, "%s", parsed.error.c_str());
  exploration_ = {exploration_name(++opened_), std::move(parsed.strategy), spec, seed, 0, false};
  if (const char* const path = environment("HEDDLE_REPLAY")) return open_replay(path);
  return HEDDLE_OK;
}

heddle_code Session::close() {
  const std::lock_guard guard(lock_);
  if (is_attached()) return error(HEDDLE_ALREADY_ATTACHED);
  if (!exploration_.strategy) return error(HEDDLE_NOT_OPEN);
  exploration_ = {};
  return HEDDLE_OK;
}

heddle_code Session::set_option(const char* name, std::uint64_t value) {
  constexpr std::uint64_t kMillisecondsMax = 1ull << 40;  // still fits when converted to nanoseconds
  const std::lock_guard guard(lock_);
  if (is_attached()) return error(HEDDLE_ALREADY_ATTACHED);
  const std::string_view option = name != nullptr ? name : "";
  if (value == 0) return error(HEDDLE_BAD_ARGUMENT, "no option can be 0");
  if (option == "steps_max") {
    settings_.steps_max = value;
  } else if (option == "start_timeout_ms") {
    start_timeout_ns_ = (value < kMillisecondsMax ? value : kMillisecondsMax) * 1'000'000;
  } else {
    return error(HEDDLE_BAD_ARGUMENT, "there is no option \"%s\"; there are steps_max and start_timeout_ms",
                 option.data());
  }
  return HEDDLE_OK;
}

// Seeded as in the Explorer, so that an iteration of a strategy without memory can be repeated on its own.
heddle_code Session::take_strategy() {
  if (replay_) {
    random_.emplace(0);
    strategy_ = replay_.get();
    strategy_->begin(*random_);
    return HEDDLE_OK;
  }
  if (!exploration_.strategy) return error(HEDDLE_NOT_OPEN);
  if (exploration_.only_replays)
    return error(HEDDLE_NOTHING_LEFT, "nothing but the trace that HEDDLE_REPLAY names is explored");
  strategy_ = exploration_.strategy.get();
  random_.emplace(combine(mix(exploration_.seed), exploration_.iterations));
  if (!strategy_->begin(*random_))
    return error(HEDDLE_NOTHING_LEFT, "nothing is left to explore after %" PRIu64 " iterations: %s",
                 exploration_.iterations, strategy_->explored().c_str());
  ++exploration_.iterations;
  return HEDDLE_OK;
}

heddle_code Session::attach() {
  const std::lock_guard guard(lock_);
  if (is_attached()) return error(HEDDLE_ALREADY_ATTACHED);
  if (const heddle_code code = take_strategy()) return code;
  begin_execution();
  attached_.store(true, std::memory_order_release);
  return HEDDLE_OK;
}

void Session::begin_execution() {
  engine::Settings settings = settings_;
  if (replay_) settings.steps_max = steps_max_of(expected_->header, settings.steps_max);
  verdict_ = {};
  stopped_ = HEDDLE_OK;
  has_run_ = true;
  recorder_.begin();
  scheduler_.begin(settings, *strategy_, &recorder_);
  header_ = header();
  threads_.clear();
  starting_ = 0;
  const OperationId main = add_operation();
  threads_[index(main)].pointer = thread_pointer();
  calls_.begin(scheduler_.next(main).resource);
  scheduler_.pick();
}

OperationId Session::add_operation() {
  const OperationId id{scheduler_.operation_count()};
  const ResourceId lifetime = scheduler_.add_resource(ResourceKind::operation, nullptr);
  scheduler_.resource(lifetime).lifetime = model::Lifetime(id, true);
  scheduler_.add_operation(scheduler_.current(), {EventKind::start, lifetime, nullptr});
  threads_.push_back({});
  return id;
}

heddle_code Session::detach() {
  const std::lock_guard guard(lock_);
  if (!is_attached()) return error(HEDDLE_NOT_ATTACHED);
  if (!is_caller(kMainOperation)) return error(HEDDLE_NOT_MAIN);
  if (stopped_ == HEDDLE_OK) wait_for_threads();  // a late thread would be taken for one of the next iteration
  attached_.store(false, std::memory_order_release);
  wake_everybody(HEDDLE_NOT_ATTACHED);
  strategy_->end({verdict_, scheduler_.steps(), scheduler_.schedule()});
  strategy_ = nullptr;
  return finish();
}

heddle_code Session::finish() {
  const heddle_code code = code_of_verdict();
  if (replay_) {
    const heddle_code compared = compare_with_expected();
    replay_.reset();
    expected_.reset();
    if (compared != HEDDLE_OK) return compared;
  }
  return code == HEDDLE_OK ? code : error(code, "%s", verdict_.message);
}

/// A failure declared by the program takes precedence over what happened after it.
heddle_code Session::code_of_verdict() const { return verdict_.kind == VerdictKind::failed ? HEDDLE_FAILED : stopped_; }

// --- operations ----------------------------------------------------------------------------------------------------

bool Session::is_caller(OperationId id) const { return threads_[index(id)].pointer == thread_pointer(); }

heddle_code Session::check_caller() {
  if (!is_attached()) return error(HEDDLE_NOT_ATTACHED);
  if (stopped_ != HEDDLE_OK) return stopped_error();
  return is_caller(scheduler_.current()) ? HEDDLE_OK : error(HEDDLE_NOT_RUNNING);
}

heddle_code Session::create(std::uint64_t id) {
  if (const heddle_code code = calls_.may_create(id)) return code;
  const OperationId self = add_operation();
  calls_.add_operation(id, self, scheduler_.next(self).resource);
  ++starting_;
  return HEDDLE_OK;
}

heddle_code Session::start(std::uint64_t id) {
  const std::lock_guard guard(lock_);
  if (!is_attached()) return error(HEDDLE_NOT_ATTACHED);
  if (stopped_ != HEDDLE_OK) return stopped_error();
  if (const heddle_code code = calls_.may_start(id)) return code;
  if (is_caller(scheduler_.current())) return error(HEDDLE_THREAD_TAKEN);
  calls_.start(id);
  engine::ParkingSpot mine;
  threads_[index(calls_.operation(id).self)] = {thread_pointer(), &mine};
  --starting_;
  arrivals_.fetch_add(1, std::memory_order_relaxed);
  if (arrivals_awaited_ && starting_ == 0) raw::futex_wake_one(reinterpret_cast<const std::uint32_t*>(&arrivals_));
  lock_.unlock();
  return park(mine);
}

heddle_code Session::end(std::uint64_t id) {
  const std::lock_guard guard(lock_);
  if (!is_attached()) return error(HEDDLE_NOT_ATTACHED);
  if (stopped_ != HEDDLE_OK) return stopped_error();
  if (const heddle_code code = calls_.may_end(id)) return code;
  const OperationId self = scheduler_.current();
  if (!is_caller(self) || calls_.operation(id).self != self) return error(HEDDLE_NOT_RUNNING);
  calls_.end(id);
  scheduler_.resource(calls_.operation(id).end).lifetime.end();
  scheduler_.end_operation(self);
  threads_[index(self)] = {};
  OperationId next;
  if (const heddle_code code = pick_next(next)) return code;
  wake(threads_[index(next)].spot, HEDDLE_OK);
  threads_[index(next)].spot = nullptr;
  return HEDDLE_OK;
}

heddle_code Session::fail(const char* message) {
  if (message == nullptr) return error(HEDDLE_BAD_ARGUMENT, "a failure without a message: say what is wrong");
  if (verdict_.kind != VerdictKind::passed) return HEDDLE_OK;
  verdict_.kind = VerdictKind::failed;
  verdict_.operation = scheduler_.current();
  verdict_.set_text(message);
  return HEDDLE_OK;
}

// --- handing over --------------------------------------------------------------------------------------------------

heddle_code Session::step(const model::Event& event) {
  capture(scheduler_.current(), event.place);
  scheduler_.stand(scheduler_.current(), event);
  return hand_over();
}

heddle_code Session::step_when_woken(const model::Event& event) {
  capture(scheduler_.current(), event.place);
  scheduler_.stand_blocked(scheduler_.current(), event);
  return hand_over();
}

std::uint32_t Session::choose(std::uint32_t bound, bool is_failure, const void* place) {
  capture(scheduler_.current(), place);
  return scheduler_.choose_value(bound, is_failure);
}

// The place of the call is always kept. The whole stack, which costs more than the switch, is kept only during a
// replay.
void Session::capture(OperationId self, const void* place) {
  if (replay_)
    recorder_.capture_stack(self);
  else
    recorder_.capture_place(self, place);
}

heddle_code Session::hand_over() {
  const OperationId from = scheduler_.current();
  OperationId to;
  if (const heddle_code code = pick_next(to)) return code;
  if (to == from) return HEDDLE_OK;
  engine::ParkingSpot mine;
  engine::ParkingSpot* const theirs = threads_[index(to)].spot;
  threads_[index(to)].spot = nullptr;
  threads_[index(from)].spot = &mine;
  lock_.unlock();  // before the other thread wakes, because it takes the lock
  wake(theirs, HEDDLE_OK);
  return park(mine);
}

heddle_code Session::pick_next(OperationId& next) {
  if (const heddle_code code = wait_for_threads()) return code;
  if (scheduler_.steps() >= scheduler_.settings().steps_max)
    return stop(HEDDLE_CUT, VerdictKind::cut, "no end after " + std::to_string(scheduler_.steps()) + " steps");
  next = scheduler_.pick();
  if (next == kNoOperation) {
    const std::string who = calls_.who_waits_for_what();
    return stop(HEDDLE_DEADLOCK, VerdictKind::deadlock, who,
                "deadlock after " + std::to_string(scheduler_.steps()) + " steps: " + who);
  }
  return HEDDLE_OK;
}

/// Waits until the threads of all created operations have arrived. Releases the lock meanwhile.
heddle_code Session::wait_for_threads() {
  if (starting_ == 0) [[likely]]
    return HEDDLE_OK;
  const std::uint64_t begun = raw::monotonic_ns();
  arrivals_awaited_ = true;
  while (starting_ > 0) {
    const std::uint64_t waited = raw::monotonic_ns() - begun;
    if (waited >= start_timeout_ns_) break;
    const std::uint32_t seen = arrivals_.load(std::memory_order_relaxed);
    lock_.unlock();
    futex_wait_for(arrivals_, seen, start_timeout_ns_ - waited);
    lock_.lock();
  }
  arrivals_awaited_ = false;
  if (starting_ == 0) return HEDDLE_OK;
  const std::string id = std::to_string(calls_.not_started()->id);
  return stop(HEDDLE_NEVER_STARTED, VerdictKind::misuse,
              "operation " + id + " was created, but no thread has called heddle_start_operation(" + id + ") for " +
                  std::to_string(start_timeout_ns_ / 1'000'000) + " ms");
}

/// Called without the lock; returns with it.
heddle_code Session::park(engine::ParkingSpot& mine) {
  mine.park(0);
  lock_.lock();
  const auto code = static_cast<heddle_code>(mine.value() - 1);
  if (code == HEDDLE_OK) [[likely]]
    return code;
  return code == stopped_ ? stopped_error() : error(code);
}

/// As soon as the word is set, the thread may go on and the spot may be gone from its stack. Waking uses only the
/// address, and a futex may always wake without a reason.
void Session::wake(engine::ParkingSpot* spot, heddle_code code) {
  HEDDLE_CHECK(spot != nullptr, "the thread of an operation is not where it should be parked");
  spot->set(static_cast<std::uint32_t>(code) + 1);
  spot->wake();
}

void Session::wake_everybody(heddle_code code) {
  for (Thread& thread : threads_) {
    if (thread.spot == nullptr) continue;
    wake(thread.spot, code);
    thread.spot = nullptr;
  }
}

heddle_code Session::stop(heddle_code code, VerdictKind kind, const std::string& text, const std::string& told) {
  if (verdict_.kind == VerdictKind::passed) {
    verdict_.kind = kind;
    verdict_.set_text(text);
  }
  stopped_ = code;
  stopped_text_ = told.empty() ? text : told;
  wake_everybody(code);
  return stopped_error();
}

heddle_code Session::stopped_error() { return error(stopped_, "%s", stopped_text_.c_str()); }

}  // namespace heddle::runtime::capi
