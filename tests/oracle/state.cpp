#include "oracle/state.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace heddle::oracle {
namespace {

/// One step of one thread: changes the state, or several copies of it where there is a choice.
class Step {
 public:
  Step(const Program& program, const State& state, int thread, std::vector<State>& next)
      : program_(program), state_(state), me_(thread), next_(next) {}

  void take() {
    switch (self().phase) {
      case Phase::starting:
        self().phase = Phase::acting;
        settle(program_, state_, me_);
        return emit();
      case Phase::acting:
        return act();
      case Phase::waiting:
        return leave_condition();
      case Phase::relocking:
        return relock();
      case Phase::sleeping:
        return instruction().op == Op::futex_timed_wait ? returns(ETIMEDOUT) : blocks();
      case Phase::leaving:
        return returns(0);
      case Phase::in_once:
        state_.memory[object()] = static_cast<std::int16_t>(kOnce + me_);
        state_.onces[object()] = 2;
        return returns(1);
      case Phase::ending:
        return end();
      default:
        return blocks();
    }
  }

  /// A thread that has come to its next instruction: passes over what it must not do, and what is no step.
  static void settle(const Program& program, State& state, int thread) {
    ThreadState& self = state.threads[thread];
    const auto& instructions = program.threads[thread];
    while (self.at < instructions.size()) {
      const Instruction& next = instructions[self.at];
      if (next.op == Op::skip_if)
        self.at = static_cast<std::uint8_t>(
            std::min<std::size_t>(self.at + 1 + (self.value == next.b ? next.a : 0), instructions.size()));
      else if (next.op == Op::cancel_state)
        set_cancel_state(self, next.a);
      else if (passes_over(program, state, thread, next))
        ++self.at;
      else
        return;
    }
    self.phase = Phase::ending;
  }

 private:
  ThreadState& self() { return state_.threads[me_]; }
  const Instruction& instruction() { return program_.threads[me_][self().at]; }
  std::uint8_t object() { return instruction().a; }

  static bool passes_over(const Program& program, const State& state, int me, const Instruction& next) {
    const std::uint8_t a = next.a;
    const auto is_mine = [&] {  // a thread that only the caller joins, and that is still there to be asked about
      const ThreadState& other = state.threads[a];
      return other.creator == me && !other.joined && !other.detached;
    };
    switch (next.op) {
      case Op::unlock:
        return !tells_strangers(program.mutexes[a]) && state.mutexes[a].owner != me;
      case Op::spin_unlock:
        return state.spins[a] != me;
      case Op::rw_unlock:
        return state.locks[a].writer != me && state.locks[a].readers[me] == 0;
      case Op::wait:
      case Op::timed_wait:
        return state.mutexes[next.b].owner != me || state.mutexes[next.b].depth != 1;
      case Op::create:
        return a == 0 || a >= program.threads.size();
      case Op::cancel:
        return a != me && !is_mine();
      case Op::join:
      case Op::try_join:
      case Op::timed_join:
      case Op::detach:
        return !is_mine();
      default:
        return false;
    }
  }

  /// Concerns the thread alone, so it is no step.
  static void set_cancel_state(ThreadState& self, std::uint8_t disabled) {
    self.cancel_disabled = disabled != 0;
    self.values[self.at++] = 0;
  }

  // How a step ends.
  void blocks() {}
  void emit() { next_.push_back(state_); }
  void returns(int value) {
    self().value = static_cast<std::int16_t>(value);
    passes(value);
  }
  /// The same for what returns nothing: the register stays.
  void passes(int value = 0) {
    self().values[self().at++] = static_cast<std::int16_t>(value);
    self().phase = Phase::acting;
    settle(program_, state_, me_);
    emit();
  }
  void goes_to(Phase phase) {
    self().phase = phase;
    emit();
  }
  void fails(End how, int detail) {
    state_.end = how;
    state_.end_thread = static_cast<std::uint8_t>(me_);
    state_.end_detail = static_cast<std::uint8_t>(detail);
    state_.is_over = true;
    emit();
  }

  static bool is_to_be_cancelled(const ThreadState& thread) {
    return thread.cancel_requested && !thread.cancel_disabled;
  }
  void acts_on_cancel() {
    self().cancelled = true;
    goes_to(Phase::ending);
  }

  void end() {
    ThreadState& mine = self();
    mine.phase = Phase::ended;
    if (mine.cancelled) mine.value = kCancelled - kJoined;
    for (std::size_t i = 0; i < kObjects; ++i) {
      if (program_.mutexes[i] != MutexKind::robust || state_.mutexes[i].owner != me_) continue;
      state_.mutexes[i] = {-1, 0, Consistency::owner_died};
    }
    if (program_.whole && me_ == 0 && !mine.cancelled && !mine.left) return fails(End::exited, 0);
    emit();
  }

  void act() {
    const Op op = instruction().op;
    if (op <= Op::later) return act_on_memory(op);
    if (op <= Op::consistent) return act_on_mutex(op);
    if (op <= Op::spin_unlock) return act_on_spin(op);
    if (op <= Op::rw_unlock) return act_on_lock(op);
    if (op <= Op::value_of) return act_on_semaphore(op);
    if (op <= Op::broadcast) return act_on_condition(op);
    if (op <= Op::futex_set) return act_on_others(op);
    if (op <= Op::cancel_state) return act_on_thread(op);
    if (op == Op::leave) {
      self().values[self().at] = 0;
      self().left = true;
      return goes_to(Phase::ending);
    }
    return op == Op::abort ? fails(End::aborted, 0) : fails(End::exited, object());
  }

  void act_on_memory(Op op) {
    const Instruction& now = instruction();
    switch (op) {
      case Op::load:
        return returns(state_.memory[now.a]);
      case Op::store:
        state_.memory[now.a] = now.b;
        return passes();
      case Op::add:
        state_.memory[now.a] = static_cast<std::int16_t>(self().value + now.b);
        return passes();
      case Op::choose: {
        const State before = state_;
        for (int value = 0; value < now.a; ++value, state_ = before) returns(value);
        return;
      }
      case Op::assert_is:
        return self().value == now.a ? passes() : fails(End::assertion, self().at);
      case Op::sleep:
        return is_to_be_cancelled(self()) ? acts_on_cancel() : passes();
      case Op::now:
        self().clock = ++state_.clock;
        return passes();
      case Op::publish:
        state_.times[now.a] = self().clock;
        return passes();
      case Op::later:
        return returns(self().clock > state_.times[now.a] ? 1 : 0);
      default:
        return passes();
    }
  }

  /// What a lock of a mutex that it could have returns; the mutex is its own then, unless it cannot be.
  int take_mutex(MutexState& mutex) {
    if (mutex.consistency == Consistency::not_recoverable) return ENOTRECOVERABLE;
    mutex.owner = static_cast<std::int8_t>(me_);
    mutex.depth = 1;
    return mutex.consistency == Consistency::owner_died ? EOWNERDEAD : 0;
  }
  static void release(MutexState& mutex) {
    mutex.owner = -1;
    mutex.depth = 0;
    if (mutex.consistency == Consistency::owner_died) mutex.consistency = Consistency::not_recoverable;
  }

  void act_on_mutex(Op op) {
    MutexState& mutex = state_.mutexes[object()];
    const MutexKind kind = program_.mutexes[object()];
    if (op == Op::unlock) {
      if (mutex.owner != me_) return returns(EPERM);
      if (--mutex.depth == 0) release(mutex);
      return returns(0);
    }
    if (op == Op::consistent) {
      const bool may = kind == MutexKind::robust && mutex.owner == me_ && mutex.consistency == Consistency::owner_died;
      if (may) mutex.consistency = Consistency::consistent;
      return returns(may ? 0 : EINVAL);
    }
    if (mutex.owner < 0) return returns(take_mutex(mutex));
    if (mutex.owner == me_ && kind == MutexKind::recursive) {
      ++mutex.depth;
      return returns(0);
    }
    if (op == Op::try_lock) return returns(EBUSY);
    if (mutex.owner == me_ && kind == MutexKind::checking) return returns(EDEADLK);
    return op == Op::timed_lock ? returns(ETIMEDOUT) : blocks();
  }

  void act_on_spin(Op op) {
    std::int8_t& owner = state_.spins[object()];
    if (op == Op::spin_unlock) {
      owner = -1;
      return returns(0);
    }
    if (owner >= 0) return op == Op::spin_try ? returns(EBUSY) : blocks();
    owner = static_cast<std::int8_t>(me_);
    return returns(0);
  }

  /// Readers are preferred: a writer that waits holds up nobody.
  void act_on_lock(Op op) {
    LockState& lock = state_.locks[object()];
    if (op == Op::rw_unlock) {
      if (lock.writer == me_)
        lock.writer = -1;
      else
        --lock.readers[me_];
      return returns(0);
    }
    const bool writes = op >= Op::write_lock;
    const bool tries = op == Op::try_read || op == Op::try_write;
    bool is_taken = lock.writer >= 0;
    for (const std::uint8_t readers : lock.readers) is_taken = is_taken || (writes && readers > 0);
    if (is_taken) {
      if (tries) return returns(EBUSY);
      if (lock.writer == me_) return returns(EDEADLK);
      return op == Op::timed_read || op == Op::timed_write ? returns(ETIMEDOUT) : blocks();
    }
    if (writes)
      lock.writer = static_cast<std::int8_t>(me_);
    else
      ++lock.readers[me_];
    return returns(0);
  }

  void act_on_semaphore(Op op) {
    std::uint8_t& value = state_.semaphores[object()];
    if (op == Op::value_of) return returns(value);
    if (op == Op::post) {
      ++value;
      return returns(0);
    }
    if (op != Op::try_acquire && is_to_be_cancelled(self())) return acts_on_cancel();
    if (value > 0) {
      --value;
      return returns(0);
    }
    if (op == Op::try_acquire) return returns(EAGAIN);
    return op == Op::timed_acquire ? returns(ETIMEDOUT) : blocks();
  }

  void act_on_condition(Op op) {
    if (op == Op::wait || op == Op::timed_wait) {
      if (is_to_be_cancelled(self())) return acts_on_cancel();
      release(state_.mutexes[instruction().b]);
      return goes_to(Phase::waiting);
    }
    bool found = false;
    const State before = state_;
    const std::uint8_t condition = object();
    for (int other = 0; other < kThreads; ++other) {
      if (!waits_for(other, condition)) continue;
      found = true;
      state_.threads[other].phase = Phase::relocking;
      state_.threads[other].result = 0;
      if (op == Op::broadcast) continue;
      returns(0);
      state_ = before;
    }
    if (!found || op == Op::broadcast) returns(0);
  }

  /// One that is about to be cancelled takes no signal from the others.
  bool waits_for(int other, std::uint8_t condition) const {
    const ThreadState& thread = state_.threads[other];
    return thread.phase == Phase::waiting && program_.threads[other][thread.at].a == condition &&
           !is_to_be_cancelled(thread);
  }

  void leave_condition() {
    if (is_to_be_cancelled(self())) {
      self().cancelled = true;
      return goes_to(Phase::relocking);
    }
    if (instruction().op != Op::timed_wait) return blocks();
    self().result = ETIMEDOUT;
    goes_to(Phase::relocking);
  }

  void relock() {
    MutexState& mutex = state_.mutexes[instruction().b];
    if (mutex.owner >= 0) return blocks();
    const int error = take_mutex(mutex);
    if (self().cancelled) return goes_to(Phase::ending);
    returns(error != 0 ? error : self().result);
  }

  void act_on_others(Op op) {
    const Instruction now = instruction();
    switch (op) {
      case Op::arrive:
        return arrive(now.a);
      case Op::once:
        if (state_.onces[now.a] == 1) return blocks();
        if (state_.onces[now.a] == 2) return returns(0);
        state_.onces[now.a] = 1;
        return goes_to(Phase::in_once);
      case Op::futex_wait:
      case Op::futex_timed_wait:
        return state_.words[now.a] == now.b ? goes_to(Phase::sleeping) : returns(EAGAIN);
      case Op::futex_wake:
        return wake(now.a, now.b, 0, 0);
      default:
        state_.words[now.a] = now.b;
        return passes();
    }
  }

  void arrive(std::uint8_t barrier) {
    std::vector<int> others;
    for (int i = 0; i < kThreads; ++i)
      if (state_.threads[i].phase == Phase::arrived && program_.threads[i][state_.threads[i].at].a == barrier)
        others.push_back(i);
    if (others.size() + 1 < program_.barriers[barrier]) return goes_to(Phase::arrived);
    for (const int other : others) state_.threads[other].phase = Phase::leaving;
    returns(kSerial);
  }

  /// Every choice of so many sleepers, from thread `from` on.
  void wake(std::uint8_t word, int count, int from, int woken) {
    const State before = state_;
    bool is_last = true;
    for (int i = from; woken < count && i < kThreads; ++i) {
      const ThreadState& thread = state_.threads[i];
      if (thread.phase != Phase::sleeping || program_.threads[i][thread.at].a != word) continue;
      is_last = false;
      state_.threads[i].phase = Phase::leaving;
      wake(word, count, i + 1, woken + 1);
      state_ = before;
    }
    // Fewer than could be woken is no choice: then those that were passed over would have been.
    if (is_last && (woken == count || !sleeps_before(word, from))) returns(woken);
    state_ = before;
  }
  bool sleeps_before(std::uint8_t word, int end) const {
    for (int i = 0; i < end; ++i)
      if (state_.threads[i].phase == Phase::sleeping && program_.threads[i][state_.threads[i].at].a == word)
        return true;
    return false;
  }

  void act_on_thread(Op op) {
    ThreadState& other = state_.threads[object() % kThreads];
    switch (op) {
      case Op::create:
        other.creator = static_cast<std::int8_t>(me_);
        other.phase = state_.starts_are_steps ? Phase::starting : Phase::acting;
        if (!state_.starts_are_steps) settle(program_, state_, object());
        return passes();
      case Op::join:
      case Op::try_join:
      case Op::timed_join:
        if (op != Op::try_join && is_to_be_cancelled(self())) return acts_on_cancel();
        if (other.phase == Phase::ended) {
          other.joined = true;
          return returns(kJoined + other.value);
        }
        if (op == Op::join) return blocks();
        return returns(op == Op::try_join ? EBUSY : ETIMEDOUT);
      case Op::detach:
        other.detached = true;
        return returns(0);
      case Op::cancel:
        if (other.phase != Phase::ended) other.cancel_requested = true;
        return returns(0);
      default:  // test_cancel
        return is_to_be_cancelled(self()) ? acts_on_cancel() : passes();
    }
  }

  const Program& program_;
  State state_;
  const int me_;
  std::vector<State>& next_;
};

Outcome outcome_of(const Program& program, const State& state) {
  Outcome outcome{state.end, 0, state.end_detail, {}};
  if (state.end == End::assertion) outcome.thread = state.end_thread;
  if (state.end != End::ok) return outcome;
  for (std::size_t i = 0; i < program.threads.size(); ++i)
    for (std::size_t at = 0; at < program.threads[i].size(); ++at)
      outcome.values.push_back(state.threads[i].values[at]);
  outcome.values.insert(outcome.values.end(), state.memory.begin(), state.memory.end());
  return outcome;
}

bool all_ended(const State& state) {
  for (const ThreadState& thread : state.threads)
    if (thread.phase != Phase::ended && thread.phase != Phase::not_created) return false;
  return true;
}

}  // namespace

State first_state(const Program& program) {
  State state;
  for (ThreadState& thread : state.threads) thread.values.fill(kNotRun);
  state.spins.fill(-1);
  state.semaphores = program.semaphores;
  state.threads[0].creator = kThreads;  // none of them
  state.threads[0].phase = Phase::acting;
  Step::settle(program, state, 0);
  return state;
}

void add_steps(const Program& program, const State& state, int thread, std::vector<State>& next) {
  Step(program, state, thread, next).take();
}

Outcome final_outcome(const Program& program, State state) {
  if (!state.is_over && !all_ended(state)) state.end = End::deadlock;
  if (program.whole && state.end == End::ok) state.end = End::exited;  // with code 0, as of the last thread
  return outcome_of(program, state);
}

}  // namespace heddle::oracle
