#include "oracle/threads.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <tuple>

#include "oracle/endings.hpp"

namespace heddle::oracle {
namespace {

void make_mutex(pthread_mutex_t& mutex, MutexKind kind) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, kind == MutexKind::recursive  ? PTHREAD_MUTEX_RECURSIVE
                                         : kind == MutexKind::checking ? PTHREAD_MUTEX_ERRORCHECK
                                                                       : PTHREAD_MUTEX_NORMAL);
  if (kind == MutexKind::robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

int error_of(int result) { return result == 0 ? 0 : errno; }

bool is_later(const timespec& a, const timespec& b) {
  return std::tie(a.tv_sec, a.tv_nsec) > std::tie(b.tv_sec, b.tv_nsec);
}

/// The register stays as it is.
constexpr bool returns_nothing(Op op) {
  switch (op) {
    case Op::store:
    case Op::add:
    case Op::assert_is:
    case Op::yield:
    case Op::sleep:
    case Op::now:
    case Op::publish:
    case Op::futex_set:
    case Op::create:
    case Op::test_cancel:
    case Op::cancel_state:
      return true;
    default:
      return false;
  }
}

struct OnceCall {  // of the calling thread: the routine of pthread_once has no argument
  void (*step)();
  std::int16_t* memory;
  std::int16_t value;
  bool* ran;
};
thread_local OnceCall once_call;

}  // namespace

void Threads::run() {
  begin();
  Thread self;
  run_thread(self);
}

void Threads::run_to_the_end() {
  begin();
  unjoined_ = {true};
  starts_[0] = {this, 0};
  pthread_create(&handles_[0], nullptr, start, starts_.data());
  for (std::size_t i = 0; i < kThreads; ++i)
    if (unjoined_[i]) pthread_join(handles_[i], nullptr);
}

void Threads::begin() {
  for (std::size_t i = 0; i < kObjects; ++i) {
    make_mutex(mutexes_[i], program_.mutexes[i]);
    pthread_spin_init(&spins_[i], PTHREAD_PROCESS_PRIVATE);
    pthread_rwlock_init(&locks_[i], nullptr);
    sem_init(&semaphores_[i], 0, program_.semaphores[i]);
    pthread_cond_init(&conditions_[i], nullptr);
    pthread_barrier_init(&barriers_[i], nullptr, program_.barriers[i]);
  }
  onces_.fill(PTHREAD_ONCE_INIT);
  memory_ = {};
  words_ = {};
  times_ = {};
  for (auto& values : values_) values.fill(kNotRun);
  end_details_ = {};
}

std::vector<std::int16_t> Threads::values() const {
  std::vector<std::int16_t> all;
  for (std::size_t i = 0; i < program_.threads.size(); ++i)
    all.insert(all.end(), values_[i].begin(), values_[i].begin() + static_cast<long>(program_.threads[i].size()));
  all.insert(all.end(), memory_.begin(), memory_.end());
  return all;
}

void* Threads::start(void* argument) {
  const Start& mine = *static_cast<Start*>(argument);
  Thread self;
  self.me = mine.which;
  mine.threads->run_thread(self);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(self.value));
}

void Threads::run_thread(Thread& self) {
  const auto& instructions = program_.threads[static_cast<std::size_t>(self.me)];
  auto& values = values_[static_cast<std::size_t>(self.me)];
  for (; self.at < static_cast<int>(instructions.size()); ++self.at) {
    const Instruction& now = instructions[static_cast<std::size_t>(self.at)];
    if (now.op == Op::skip_if) {
      if (self.value == now.b) self.at += now.a;
      continue;
    }
    if (passes_over(self, now)) continue;
    if (now.op == Op::leave) {
      values[static_cast<std::size_t>(self.at)] = 0;
      pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(self.value)));
    }
    const int value = act(self, now);
    values[static_cast<std::size_t>(self.at)] = static_cast<std::int16_t>(value);
    if (!returns_nothing(now.op)) self.value = value;
  }
}

bool Threads::passes_over(const Thread& self, const Instruction& next) const {
  switch (next.op) {
    case Op::unlock:
      return !tells_strangers(program_.mutexes[next.a]) && self.depth[next.a] == 0;
    case Op::spin_unlock:
      return !self.spins[next.a];
    case Op::rw_unlock:
      return self.holds[next.a] == 0;
    case Op::wait:
    case Op::timed_wait:
      return self.depth[next.b] != 1;
    case Op::create:
      return next.a == 0 || next.a >= program_.threads.size();
    case Op::cancel:
      return next.a != self.me && !self.mine[next.a];
    case Op::join:
    case Op::try_join:
    case Op::timed_join:
    case Op::detach:
      return !self.mine[next.a];
    default:
      return false;
  }
}

int Threads::act(Thread& self, const Instruction& now) {
  if (now.op <= Op::later) return act_on_memory(self, now);
  if (now.op <= Op::consistent) return act_on_mutex(self, now);
  if (now.op <= Op::spin_unlock) return act_on_spin(self, now);
  if (now.op <= Op::rw_unlock) return act_on_lock(self, now);
  if (now.op <= Op::value_of) return act_on_semaphore(now);
  if (now.op <= Op::broadcast) return act_on_condition(self, now);
  if (now.op == Op::arrive) return pthread_barrier_wait(&barriers_[now.a]);
  if (now.op == Op::once) return act_on_once(self, now);
  if (now.op <= Op::futex_set) return act_on_futex(now);
  if (now.op <= Op::cancel_state) return act_on_thread(self, now);
  end_process(self, now);
  return 0;
}

int Threads::act_on_memory(Thread& self, const Instruction& now) {
  switch (now.op) {
    case Op::yield:
      sched_yield();
      return 0;
    case Op::sleep:
      nanosleep(&hooks_.duration, nullptr);
      return 0;
    case Op::now:
      clock_gettime(CLOCK_MONOTONIC, &self.clock);
      return 0;
    default:
      break;
  }
  if (now.op == Op::assert_is && self.value != now.a) {
    end_details_[static_cast<std::size_t>(self.me)] = self.at;
    assert(!"the register has the expected value");
  }
  hooks_.step();
  switch (now.op) {
    case Op::load:
      return memory_[now.a];
    case Op::store:
      memory_[now.a] = now.b;
      return 0;
    case Op::add:
      memory_[now.a] = static_cast<std::int16_t>(self.value + now.b);
      return 0;
    case Op::choose:
      return static_cast<int>(hooks_.choose(now.a));
    case Op::publish:
      times_[now.a] = self.clock;
      return 0;
    case Op::later:
      return is_later(self.clock, times_[now.a]) ? 1 : 0;
    default:  // assert_is
      return 0;
  }
}

int Threads::act_on_mutex(Thread& self, const Instruction& now) {
  pthread_mutex_t* const mutex = &mutexes_[now.a];
  if (now.op == Op::consistent) return pthread_mutex_consistent(mutex);
  if (now.op == Op::unlock) {
    const int error = pthread_mutex_unlock(mutex);
    if (error == 0) --self.depth[now.a];
    return error;
  }
  const timespec until = hooks_.deadline();
  const int error = now.op == Op::lock       ? pthread_mutex_lock(mutex)
                    : now.op == Op::try_lock ? pthread_mutex_trylock(mutex)
                                             : pthread_mutex_timedlock(mutex, &until);
  if (error == 0 || error == EOWNERDEAD) ++self.depth[now.a];
  return error;
}

int Threads::act_on_spin(Thread& self, const Instruction& now) {
  pthread_spinlock_t* const spin = &spins_[now.a];
  if (now.op == Op::spin_unlock) {
    self.spins[now.a] = false;
    return pthread_spin_unlock(spin);
  }
  const int error = now.op == Op::spin_lock ? pthread_spin_lock(spin) : pthread_spin_trylock(spin);
  if (error == 0) self.spins[now.a] = true;
  return error;
}

int Threads::act_on_lock(Thread& self, const Instruction& now) {
  pthread_rwlock_t* const lock = &locks_[now.a];
  if (now.op == Op::rw_unlock) {
    --self.holds[now.a];
    return pthread_rwlock_unlock(lock);
  }
  const timespec until = hooks_.deadline();
  const int error = now.op == Op::read_lock    ? pthread_rwlock_rdlock(lock)
                    : now.op == Op::try_read   ? pthread_rwlock_tryrdlock(lock)
                    : now.op == Op::timed_read ? pthread_rwlock_timedrdlock(lock, &until)
                    : now.op == Op::write_lock ? pthread_rwlock_wrlock(lock)
                    : now.op == Op::try_write  ? pthread_rwlock_trywrlock(lock)
                                               : pthread_rwlock_timedwrlock(lock, &until);
  if (error == 0) ++self.holds[now.a];
  return error;
}

int Threads::act_on_semaphore(const Instruction& now) {
  sem_t* const semaphore = &semaphores_[now.a];
  if (now.op == Op::value_of) {
    int value = 0;
    sem_getvalue(semaphore, &value);
    return value;
  }
  const timespec until = hooks_.deadline();
  return error_of(now.op == Op::acquire         ? sem_wait(semaphore)
                  : now.op == Op::try_acquire   ? sem_trywait(semaphore)
                  : now.op == Op::timed_acquire ? sem_timedwait(semaphore, &until)
                                                : sem_post(semaphore));
}

int Threads::act_on_condition(Thread& self, const Instruction& now) {
  pthread_cond_t* const condition = &conditions_[now.a];
  if (now.op == Op::signal) return pthread_cond_signal(condition);
  if (now.op == Op::broadcast) return pthread_cond_broadcast(condition);
  const timespec until = hooks_.deadline();
  const int error = now.op == Op::wait ? pthread_cond_wait(condition, &mutexes_[now.b])
                                       : pthread_cond_timedwait(condition, &mutexes_[now.b], &until);
  if (error == ENOTRECOVERABLE) self.depth[now.b] = 0;  // it did not get the mutex back
  return error;
}

void Threads::once_routine() {
  const OnceCall call = once_call;
  call.step();
  *call.memory = call.value;
  *call.ran = true;
}

int Threads::act_on_once(Thread& self, const Instruction& now) {
  self.ran_once = false;
  once_call = {hooks_.step, &memory_[now.a], static_cast<std::int16_t>(kOnce + self.me), &self.ran_once};
  pthread_once(&onces_[now.a], once_routine);
  return self.ran_once ? 1 : 0;
}

int Threads::act_on_futex(const Instruction& now) {
  std::uint32_t* const word = &words_[now.a];
  if (now.op == Op::futex_set) {
    hooks_.step();
    *word = now.b;
    return 0;
  }
  if (now.op == Op::futex_wake)
    return static_cast<int>(syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, now.b, nullptr, nullptr, 0));
  const timespec* const until = now.op == Op::futex_timed_wait ? &hooks_.duration : nullptr;
  return error_of(static_cast<int>(syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, now.b, until, nullptr, 0)));
}

int Threads::act_on_thread(Thread& self, const Instruction& now) {
  switch (now.op) {
    case Op::create:
      self.mine[now.a] = unjoined_[now.a] = true;
      starts_[now.a] = {this, now.a};
      return pthread_create(&handles_[now.a], nullptr, start, &starts_[now.a]);
    case Op::join:
    case Op::try_join:
    case Op::timed_join:
      return join(self, now);
    case Op::detach:
      self.mine[now.a] = unjoined_[now.a] = false;
      return pthread_detach(handles_[now.a]);
    case Op::cancel:
      return pthread_cancel(now.a == self.me ? pthread_self() : handles_[now.a]);
    case Op::test_cancel:
      pthread_testcancel();
      return 0;
    default:
      pthread_setcancelstate(now.a != 0 ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, nullptr);
      return 0;
  }
}

int Threads::join(Thread& self, const Instruction& now) {
  void* result = nullptr;
  const pthread_t other = handles_[now.a];
  const timespec until = hooks_.deadline();
  const int error = now.op == Op::join       ? pthread_join(other, &result)
                    : now.op == Op::try_join ? pthread_tryjoin_np(other, &result)
                                             : pthread_timedjoin_np(other, &result, &until);
  if (error != 0) return error;
  self.mine[now.a] = unjoined_[now.a] = false;
  return kJoined + static_cast<int>(reinterpret_cast<std::intptr_t>(result));
}

void Threads::end_process(Thread& self, const Instruction& now) {
  end_details_[static_cast<std::size_t>(self.me)] = now.a;
  if (now.op == Op::abort) std::abort();
  end_process_with(now.a, now.op == Op::immediate_exit ? EndBy::immediate_exit
                          : now.op == Op::quick_exit   ? EndBy::quick_exit
                                                       : EndBy::exit);
}

}  // namespace heddle::oracle
