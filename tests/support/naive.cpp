#include "support/naive.hpp"

#include <algorithm>
#include <cerrno>

namespace heddle::test {

Naive::Naive(const Program& program, engine::Settings settings)
    : program_(&program),
      settings_(settings),
      memory_(program.memory),
      mutexes_(program.mutexes.size()),
      locks_(program.read_write_locks),
      semaphores_(program.semaphores),
      conditions_(program.conditions),
      barriers_(program.barriers.size()) {
  create(0);
  let_time_pass();
}

void Naive::remove(std::vector<Id>& from, Id id) { from.erase(std::find(from.begin(), from.end(), id)); }

void Naive::create(std::uint32_t body) {
  operations_.emplace_back();
  operations_.back().body = body;
  operations_.back().created_at = history_.size();
  go_on(static_cast<Id>(operations_.size() - 1));
}

bool Naive::is_admitted(Id id) const {
  const Operation& self = operations_[id];
  const Action& action = next(id);
  switch (self.phase) {
    case Phase::waiting:
    case Phase::arrived:
      return false;
    case Phase::leaving:
      return true;
    case Phase::relocking:
      return !mutexes_[action.other].owner;
    case Phase::acting:
      break;
  }
  switch (action.what) {
    case Do::lock:
    case Do::timed_lock: {
      const auto& owner = mutexes_[action.object].owner;
      return !owner || (owner == id && program_->mutexes[action.object] != model::MutexType::normal);
    }
    case Do::read_lock:
    case Do::timed_read_lock: {
      const auto& writer = locks_[action.object].writer;
      return !writer || writer == id;
    }
    case Do::write_lock:
    case Do::timed_write_lock: {
      const LockState& lock = locks_[action.object];
      return lock.writer ? lock.writer == id : lock.readers.empty();
    }
    case Do::acquire:
    case Do::timed_acquire:
      return semaphores_[action.object] > 0;
    case Do::join:
      return std::any_of(operations_.begin(), operations_.end(),
                         [&](const Operation& other) { return other.body == action.object && other.ended; });
    case Do::sleep:
      return false;
    default:
      return true;
  }
}

bool Naive::has_time_come(Id id) const {
  const auto& deadline = operations_[id].deadline;
  return deadline && (settings_.time == engine::TimePolicy::choice || *deadline <= now_);
}

bool Naive::is_enabled(Id id) const {
  if (operations_[id].ended) return false;
  const bool may_wake_for_no_reason = settings_.spurious_wakeups && operations_[id].phase == Phase::waiting;
  return is_admitted(id) || has_time_come(id) || may_wake_for_no_reason;
}

std::vector<Naive::Id> Naive::enabled() const {
  std::vector<Id> all;
  for (Id id = 0; id < operations_.size(); ++id)
    if (is_enabled(id)) all.push_back(id);
  return all;
}

std::vector<Naive::Id> Naive::choices() const {
  const std::vector<Id> all = enabled();
  const bool somebody_has_reason =
      std::any_of(all.begin(), all.end(), [&](Id id) { return is_admitted(id) || operations_[id].deadline; });
  std::vector<Id> fair;
  if (!somebody_has_reason) return fair;
  for (Id id : all)
    if (!waits_behind(id, all)) fair.push_back(id);
  return fair;
}

// When it last took a step, or was created: as a number of steps.
std::size_t Naive::last_seen(Id id) const {
  for (std::size_t time = history_.size(); time > 0; --time)
    if (history_[time - 1].who == id) return time;
  return operations_[id].created_at;
}

// "An operation that pauses where it has paused before waits behind every operation that could go on and has taken no
// step since its last pause."
bool Naive::waits_behind(Id id, const std::vector<Id>& all) const {
  std::vector<std::size_t> pauses;
  for (std::size_t time = 1; time <= history_.size(); ++time)
    if (history_[time - 1].who == id && history_[time - 1].paused) pauses.push_back(time);
  if (pauses.size() < 2 || pauses.back() != last_seen(id)) return false;
  const std::uint32_t place = history_[pauses.back() - 1].at;
  const bool has_been_there =
      std::any_of(pauses.begin(), pauses.end() - 1, [&](std::size_t time) { return history_[time - 1].at == place; });
  if (!has_been_there) return false;
  const std::size_t first = pauses[pauses.size() - 2];
  return std::any_of(all.begin(), all.end(), [&](Id other) { return other != id && last_seen(other) <= first; });
}

std::uint32_t Naive::value_bound(Id id) const {
  const Action& action = next(id);
  if (operations_[id].phase != Phase::acting) return 1;
  if (action.what == Do::choose) return std::max(1u, action.value);
  if (action.what != Do::signal || !settings_.choose_waiter) return 1;
  return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(conditions_[action.object].size()));
}

void Naive::apply(Id id, std::uint32_t value) {
  const bool expired = !is_admitted(id);
  const Do what = next(id).what;
  const bool acting = operations_[id].phase == Phase::acting;
  history_.push_back({id, expired || (acting && (what == Do::yield || what == Do::sleep)), operations_[id].at});
  if (expired && operations_[id].deadline) now_ = std::max(now_, *operations_[id].deadline);
  operations_[id].deadline.reset();
  switch (operations_[id].phase) {
    case Phase::waiting:
      remove(conditions_[next(id).object], id);
      operations_[id].out = operations_[id].timed ? ETIMEDOUT : 0;
      operations_[id].phase = Phase::relocking;
      break;
    case Phase::relocking:
      mutexes_[next(id).other] = {id, operations_[id].depth};
      operations_[id].phase = Phase::acting;
      ++operations_[id].at;
      go_on(id);
      break;
    case Phase::leaving:
      operations_[id].phase = Phase::acting;
      ++operations_[id].at;
      go_on(id);
      break;
    default:
      act(id, expired, value);
      break;
  }
  let_time_pass();
}

void Naive::act(Id id, bool expired, std::uint32_t value) {
  const Action action = next(id);
  std::int64_t& out = operations_[id].out;
  switch (action.what) {
    case Do::read:
      out = memory_[action.object];
      break;
    case Do::write:
      memory_[action.object] = action.value;
      break;
    case Do::store:
      memory_[action.object] = out + action.value;
      break;
    case Do::copy:
      memory_[action.other] = memory_[action.object];
      break;
    case Do::check:
      failed_ = !program_->checks[action.object](memory_);
      if (failed_) return;
      break;
    case Do::loop_until:
      if (memory_[action.object] == action.value) break;
      operations_[id].at = action.other;
      return go_on(id);
    case Do::unlock:
      if (--mutexes_[action.object].depth == 0) mutexes_[action.object].owner.reset();
      break;
    case Do::read_write_unlock:
      if (locks_[action.object].writer == id)
        locks_[action.object].writer.reset();
      else
        remove(locks_[action.object].readers, id);
      break;
    case Do::release:
      ++semaphores_[action.object];
      break;
    case Do::wait:
    case Do::timed_wait:
      operations_[id].depth = mutexes_[action.other].depth;
      operations_[id].timed = action.what == Do::timed_wait;
      mutexes_[action.other] = {};
      conditions_[action.object].push_back(id);
      operations_[id].phase = Phase::waiting;
      return stand(id);
    case Do::signal:
    case Do::broadcast: {
      std::vector<Id>& waiting = conditions_[action.object];
      std::vector<Id> woken = waiting;
      if (action.what == Do::signal && !waiting.empty()) woken = {waiting[value]};
      for (Id other : woken) {
        remove(waiting, other);
        operations_[other].out = 0;
        operations_[other].deadline.reset();
        operations_[other].phase = Phase::relocking;
      }
      break;
    }
    case Do::arrive: {
      std::vector<Id>& here = barriers_[action.object];
      if (here.size() + 1 < program_->barriers[action.object]) {
        here.push_back(id);
        operations_[id].phase = Phase::arrived;
        return;
      }
      for (Id other : here) operations_[other].phase = Phase::leaving;
      here.clear();
      break;
    }
    case Do::create:
      for (std::uint32_t i = 0; i < action.value; ++i) create(action.object + i);
      break;
    case Do::choose:
      out = value;
      break;
    case Do::step:
    case Do::join:
    case Do::yield:
    case Do::sleep:
      break;
    default:
      out = expired ? ETIMEDOUT : take(id);
      break;
  }
  ++operations_[id].at;
  go_on(id);
}

// Locks and semaphores. Who had to be admitted fails only if it holds the lock itself.
int Naive::take(Id id) {
  const Action& action = next(id);
  switch (action.what) {
    case Do::lock:
    case Do::timed_lock:
    case Do::try_lock: {
      MutexState& mutex = mutexes_[action.object];
      const bool recursive = program_->mutexes[action.object] == model::MutexType::recursive;
      if (mutex.owner && !(mutex.owner == id && recursive)) return action.what == Do::try_lock ? EBUSY : EDEADLK;
      mutex.owner = id;
      ++mutex.depth;
      return 0;
    }
    case Do::read_lock:
    case Do::timed_read_lock:
    case Do::try_read_lock:
      if (locks_[action.object].writer) return action.what == Do::try_read_lock ? EBUSY : EDEADLK;
      locks_[action.object].readers.push_back(id);
      return 0;
    case Do::write_lock:
    case Do::timed_write_lock:
    case Do::try_write_lock:
      if (locks_[action.object].writer || !locks_[action.object].readers.empty())
        return action.what == Do::try_write_lock ? EBUSY : EDEADLK;
      locks_[action.object].writer = id;
      return 0;
    default:
      if (semaphores_[action.object] == 0) return EAGAIN;
      --semaphores_[action.object];
      return 0;
  }
}

bool Naive::passes_over(Id id) const {
  const Action& action = next(id);
  switch (action.what) {
    case Do::unlock:
      return mutexes_[action.object].owner != id;
    case Do::wait:
    case Do::timed_wait:
      return mutexes_[action.other].owner != id;
    case Do::read_write_unlock: {
      const LockState& lock = locks_[action.object];
      return lock.writer != id && std::find(lock.readers.begin(), lock.readers.end(), id) == lock.readers.end();
    }
    default:
      return false;
  }
}

void Naive::go_on(Id id) {
  Operation& self = operations_[id];
  const std::size_t end = program_->operations[self.body].size();
  while (self.at < end && passes_over(id)) ++self.at;
  self.ended = self.at == end;
  if (!self.ended) stand(id);
}

void Naive::stand(Id id) {
  switch (next(id).what) {
    case Do::timed_lock:
    case Do::timed_read_lock:
    case Do::timed_write_lock:
    case Do::timed_acquire:
    case Do::sleep:
      operations_[id].deadline = now_ + next(id).value;
      break;
    case Do::timed_wait:
      if (operations_[id].phase == Phase::waiting) operations_[id].deadline = now_ + next(id).value;
      break;
    default:
      break;
  }
}

// Under the patient policy time passes when nobody can go on, and then to the earliest deadline.
void Naive::let_time_pass() {
  if (settings_.time != engine::TimePolicy::patient || !choices().empty()) return;
  std::optional<std::uint64_t> earliest;
  for (const Operation& operation : operations_)
    if (!operation.ended && operation.deadline) earliest = std::min(earliest.value_or(~0ull), *operation.deadline);
  if (earliest) now_ = std::max(now_, *earliest);
}

VerdictKind Naive::verdict() const {
  if (failed_) return VerdictKind::assertion;
  const bool all_ended =
      std::all_of(operations_.begin(), operations_.end(), [](const Operation& operation) { return operation.ended; });
  return all_ended ? VerdictKind::passed : VerdictKind::deadlock;
}

// It yielded, slept or timed out, or it stands where only its deadline, or nothing at all, would let it go on.
bool Naive::gave_up_its_turn(Id id) const { return history_.back().paused || !is_admitted(id); }

std::uint32_t Naive::preemptions(Id id) const {
  if (history_.empty()) return 0;
  const Id last = history_.back().who;
  const std::vector<Id> all = choices();
  const bool last_could_go_on = std::find(all.begin(), all.end(), last) != all.end();
  return last != id && last_could_go_on && !gave_up_its_turn(last) ? 1 : 0;
}

std::uint32_t Naive::delays(Id id) const {
  if (history_.empty()) return 0;
  const Id last = history_.back().who;
  const std::vector<Id> all = choices();
  const auto count = static_cast<Id>(operations_.size());
  const bool last_could_go_on = std::find(all.begin(), all.end(), last) != all.end();
  std::uint32_t skipped = 0;
  for (Id x = last_could_go_on && gave_up_its_turn(last) ? last + 1 : last; x % count != id; ++x)
    if (std::find(all.begin(), all.end(), x % count) != all.end()) ++skipped;
  return skipped;
}

}  // namespace heddle::test
