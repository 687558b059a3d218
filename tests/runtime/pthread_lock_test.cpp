// Mutexes of every type, read-write locks and spin locks of pthreads: what each call returns.
#include <pthread.h>

#include <cerrno>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(PthreadLock);

struct Mutex {
  pthread_mutex_t mutex;

  explicit Mutex(int type, bool robust = false) {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, type);
    if (robust) pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
  }
  ~Mutex() { pthread_mutex_destroy(&mutex); }
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  int lock() { return pthread_mutex_lock(&mutex); }
  int try_lock() { return pthread_mutex_trylock(&mutex); }
  int unlock() { return pthread_mutex_unlock(&mutex); }
};

timespec from_now(clockid_t clock, long milliseconds) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_nsec += milliseconds * 1'000'000;
  time.tv_sec += time.tv_nsec / 1'000'000'000;
  time.tv_nsec %= 1'000'000'000;
  return time;
}

/// What `call` returns in another thread.
template <typename Call>
int elsewhere(const Call& call) {
  int result = -1;
  std::thread other([&] { result = call(); });
  other.join();
  return result;
}

TEST_P(PthreadLock, NormalMutex) {
  for (const int type : {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_DEFAULT, PTHREAD_MUTEX_ADAPTIVE_NP}) {
    passes([type] {
      Mutex mutex(type);
      assert(mutex.lock() == 0);
      assert(mutex.try_lock() == EBUSY);
      assert(elsewhere([&] { return mutex.try_lock(); }) == EBUSY);
      assert(mutex.unlock() == 0);
      assert(elsewhere([&] { return mutex.try_lock() + mutex.unlock(); }) == 0);
    });
    finds("misuse", [type] {
      Mutex mutex(type);
      mutex.lock();
      mutex.lock();
    });
    const Result held_by_nobody = finds("misuse", [type] { Mutex(type).unlock(); });
    EXPECT_EQ(held_by_nobody.message, "T0 unlocks mutex m1, which nobody holds [unlock-unlocked]");
    const Result held_by_another = finds("misuse", [type] {
      Mutex mutex(type);
      mutex.lock();
      elsewhere([&] { return mutex.unlock(); });
    });
    EXPECT_EQ(held_by_another.message, "T1 unlocks mutex m1, which T0 holds [unlock-not-owner]");
  }
}

TEST_P(PthreadLock, RecursiveMutex) {
  passes([] {
    Mutex mutex(PTHREAD_MUTEX_RECURSIVE);
    for (int i = 0; i < 3; ++i) assert(mutex.lock() == 0);
    assert(mutex.try_lock() == 0);
    assert(elsewhere([&] { return mutex.try_lock(); }) == EBUSY);
    assert(elsewhere([&] { return mutex.unlock(); }) == EPERM);
    for (int i = 0; i < 4; ++i) assert(mutex.unlock() == 0);
    assert(mutex.unlock() == EPERM);
    assert(elsewhere([&] { return mutex.lock() + mutex.unlock(); }) == 0);
  });
}

TEST_P(PthreadLock, ErrorCheckingMutex) {
  passes([] {
    Mutex mutex(PTHREAD_MUTEX_ERRORCHECK);
    assert(mutex.unlock() == EPERM);
    assert(mutex.lock() == 0);
    assert(mutex.lock() == EDEADLK);
    assert(mutex.try_lock() == EBUSY);
    assert(elsewhere([&] { return mutex.unlock(); }) == EPERM);
    assert(mutex.unlock() == 0);
    assert(mutex.unlock() == EPERM);
  });
}

TEST_P(PthreadLock, StaticInitialisers) {
  passes([] {
    pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) + pthread_mutex_unlock(&recursive) == 0);
    pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
    assert(pthread_mutex_lock(&checking) == 0);
    assert(pthread_mutex_lock(&checking) == EDEADLK);
    assert(pthread_mutex_unlock(&checking) == 0);
    pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
    assert(pthread_mutex_lock(&adaptive) == 0);
    assert(pthread_mutex_unlock(&adaptive) == 0);
  });
}

TEST_P(PthreadLock, PriorityInheritingMutexIsAMutex) {
  passes([] {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t mutex;
    assert(pthread_mutex_init(&mutex, &attributes) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(elsewhere([&] { return pthread_mutex_trylock(&mutex); }) == EBUSY);
    assert(pthread_mutex_unlock(&mutex) + pthread_mutex_unlock(&mutex) == 0);
    pthread_mutex_destroy(&mutex);
  });
}

TEST_P(PthreadLock, TimedMutexLock) {
  for (const clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC}) {
    Seen<int> seen;
    passes([&] {
      Mutex mutex(PTHREAD_MUTEX_NORMAL);
      std::thread other([&] {
        mutex.lock();
        heddle::step();
        mutex.unlock();
      });
      const timespec until = from_now(clock, 5);
      const int error = clock == CLOCK_REALTIME ? pthread_mutex_timedlock(&mutex.mutex, &until)
                                                : pthread_mutex_clocklock(&mutex.mutex, clock, &until);
      seen.insert(error);
      if (error == 0) mutex.unlock();
      other.join();
    });
    EXPECT_EQ(seen, (Seen<int>{0, ETIMEDOUT}));
  }
}

TEST_P(PthreadLock, TimedLockOfWhatOneHoldsTimesOut) {
  passes([] {
    Mutex mutex(PTHREAD_MUTEX_NORMAL);
    mutex.lock();
    const timespec until = from_now(CLOCK_REALTIME, 5);
    assert(pthread_mutex_timedlock(&mutex.mutex, &until) == ETIMEDOUT);
    const timespec past = {};
    assert(pthread_mutex_timedlock(&mutex.mutex, &past) == ETIMEDOUT);
    mutex.unlock();
    assert(pthread_mutex_timedlock(&mutex.mutex, &past) == 0);
    mutex.unlock();
  });
}

TEST_P(PthreadLock, RobustMutexTellsOfADeadOwner) {
  passes([] {
    Mutex mutex(PTHREAD_MUTEX_NORMAL, true);
    assert(elsewhere([&] { return mutex.lock(); }) == 0);  // and ends
    assert(mutex.lock() == EOWNERDEAD);
    assert(pthread_mutex_consistent(&mutex.mutex) == 0);
    assert(mutex.unlock() == 0);
    assert(mutex.lock() == 0);
    assert(pthread_mutex_consistent(&mutex.mutex) == EINVAL);
    assert(mutex.unlock() == 0);
  });
}

TEST_P(PthreadLock, RobustMutexThatNobodyMadeConsistentIsLost) {
  passes([] {
    Mutex mutex(PTHREAD_MUTEX_NORMAL, true);
    elsewhere([&] { return mutex.lock(); });
    assert(mutex.try_lock() == EOWNERDEAD);
    assert(mutex.unlock() == 0);
    assert(mutex.lock() == ENOTRECOVERABLE);
    assert(mutex.try_lock() == ENOTRECOVERABLE);
  });
}

TEST_P(PthreadLock, MutexMadeAgainIsAnotherOne) {
  passes([] {
    pthread_mutex_t mutex;
    for (const int type : {PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ERRORCHECK}) {
      pthread_mutexattr_t attributes;
      pthread_mutexattr_init(&attributes);
      pthread_mutexattr_settype(&attributes, type);
      pthread_mutex_init(&mutex, &attributes);
      assert(pthread_mutex_lock(&mutex) == 0);
      assert(pthread_mutex_lock(&mutex) == (type == PTHREAD_MUTEX_RECURSIVE ? 0 : EDEADLK));
      pthread_mutex_unlock(&mutex);
      if (type == PTHREAD_MUTEX_RECURSIVE) pthread_mutex_unlock(&mutex);
      pthread_mutex_destroy(&mutex);
    }
  });
}

// --- read-write locks ----------------------------------------------------------------------------------------------

TEST_P(PthreadLock, ReadWriteLock) {
  passes([] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(elsewhere([&] { return pthread_rwlock_tryrdlock(&lock) + pthread_rwlock_unlock(&lock); }) == 0);
    assert(elsewhere([&] { return pthread_rwlock_trywrlock(&lock); }) == EBUSY);
    assert(pthread_rwlock_unlock(&lock) + pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == EDEADLK);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    assert(elsewhere([&] { return pthread_rwlock_tryrdlock(&lock); }) == EBUSY);
    assert(pthread_rwlock_unlock(&lock) == 0);
  });
  finds("misuse", [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_unlock(&lock);
  });
  finds("misuse", [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_wrlock(&lock);
    elsewhere([&] { return pthread_rwlock_unlock(&lock); });
  });
}

TEST_P(PthreadLock, TimedReadWriteLock) {
  Seen<std::pair<int, int>> seen;
  passes([&] {
    pthread_rwlock_t lock;
    pthread_rwlock_init(&lock, nullptr);
    std::thread other([&] {
      pthread_rwlock_wrlock(&lock);
      heddle::step();
      pthread_rwlock_unlock(&lock);
    });
    timespec until = from_now(CLOCK_REALTIME, 1);
    const int read = pthread_rwlock_timedrdlock(&lock, &until);
    if (read == 0) pthread_rwlock_unlock(&lock);
    until = from_now(CLOCK_MONOTONIC, 1);
    const int write = pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &until);
    if (write == 0) pthread_rwlock_unlock(&lock);
    other.join();
    until = from_now(CLOCK_REALTIME, 1);
    assert(pthread_rwlock_timedwrlock(&lock, &until) == 0);
    pthread_rwlock_unlock(&lock);
    until = from_now(CLOCK_MONOTONIC, 1);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &until) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    seen.emplace(read, write);
  });
  EXPECT_EQ(seen, (Seen<std::pair<int, int>>{{0, 0}, {0, ETIMEDOUT}, {ETIMEDOUT, 0}, {ETIMEDOUT, ETIMEDOUT}}));
}

TEST_P(PthreadLock, WriterWaitsForAllReaders) {
  passes([] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    int readers = 0;
    const auto read = [&] {
      pthread_rwlock_rdlock(&lock);
      ++readers;
      heddle::step();
      --readers;
      pthread_rwlock_unlock(&lock);
    };
    std::thread one(read);
    std::thread two(read);
    pthread_rwlock_wrlock(&lock);
    assert(readers == 0);
    heddle::step();
    assert(readers == 0);
    pthread_rwlock_unlock(&lock);
    one.join();
    two.join();
  });
}

// --- spin locks ----------------------------------------------------------------------------------------------------

TEST_P(PthreadLock, SpinLock) {
  passes([] {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    int inside = 0;
    const auto visit = [&] {
      pthread_spin_lock(&lock);
      ++inside;
      heddle::step();
      assert(inside == 1);
      assert(pthread_spin_trylock(&lock) == EBUSY);
      --inside;
      pthread_spin_unlock(&lock);
    };
    std::thread one(visit);
    std::thread two(visit);
    visit();
    one.join();
    two.join();
    assert(pthread_spin_trylock(&lock) == 0);
    pthread_spin_unlock(&lock);
    pthread_spin_destroy(&lock);
  });
  finds("misuse", [] {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock);
  });
}

}  // namespace
}  // namespace heddle::test
