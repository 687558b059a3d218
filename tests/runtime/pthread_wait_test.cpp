// Conditions, semaphores, barriers and once of pthreads: what each call returns, and who wakes.
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <string>
#include <thread>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(PthreadWait);

timespec from_now(clockid_t clock, long seconds) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += seconds;
  return time;
}

struct Condition {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  void lock() { pthread_mutex_lock(&mutex); }
  void unlock() { pthread_mutex_unlock(&mutex); }
};

TEST_P(PthreadWait, SignalWakesOneAndBroadcastAll) {
  for (const bool all : {false, true}) {
    Seen<int> woken_at_once;
    passes([&] {
      Condition at;
      int waiting = 0, woken = 0, tickets = 0;
      const auto wait = [&] {
        at.lock();
        ++waiting;
        while (tickets == 0) {
          assert(pthread_cond_wait(&at.condition, &at.mutex) == 0);
          ++woken;
        }
        --tickets;
        at.unlock();
      };
      std::thread one(wait);
      std::thread two(wait);
      at.lock();
      const bool both_wait = waiting == 2;
      if (all) {
        tickets = 2;
        pthread_cond_broadcast(&at.condition);
      } else {
        tickets = 1;
        pthread_cond_signal(&at.condition);
      }
      at.unlock();
      for (int i = 0; i < 10; ++i) heddle::step();
      if (both_wait) woken_at_once.insert(woken);
      at.lock();
      tickets += 2;
      pthread_cond_broadcast(&at.condition);
      at.unlock();
      one.join();
      two.join();
    });
    EXPECT_EQ(woken_at_once, all ? (Seen<int>{0, 1, 2}) : (Seen<int>{0, 1}));
  }
}

TEST_P(PthreadWait, TimedWaitOnBothClocks) {
  for (const clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC}) {
    for (const bool by_attribute : {false, true}) {
      Seen<int> seen;
      passes([&] {
        pthread_condattr_t attributes;
        pthread_condattr_init(&attributes);
        if (by_attribute) pthread_condattr_setclock(&attributes, clock);
        Condition at;
        pthread_cond_init(&at.condition, &attributes);
        std::thread other([&] {
          at.lock();
          pthread_cond_signal(&at.condition);
          at.unlock();
        });
        at.lock();
        const timespec until = from_now(clock, 5);
        const bool plain = by_attribute || clock == CLOCK_REALTIME;
        seen.insert(plain ? pthread_cond_timedwait(&at.condition, &at.mutex, &until)
                          : pthread_cond_clockwait(&at.condition, &at.mutex, clock, &until));
        timespec now;
        clock_gettime(clock, &now);
        assert(now.tv_sec <= until.tv_sec + 1);
        at.unlock();
        other.join();
        pthread_cond_destroy(&at.condition);
      });
      EXPECT_EQ(seen, (Seen<int>{0, ETIMEDOUT}));
    }
  }
}

TEST_P(PthreadWait, WaitWithAMutexThatOneDoesNotHoldIsMisuse) {
  const Result result = finds("misuse", [] {
    Condition at;
    pthread_cond_wait(&at.condition, &at.mutex);
  });
  EXPECT_EQ(result.message, "T0 waits for condition c1 with mutex m1, which nobody holds [wait-without-mutex]");
}

TEST_P(PthreadWait, WaitGivesAllOfARecursiveMutexBack) {
  passes([] {
    pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    bool ready = false;
    std::thread other([&] {
      pthread_mutex_lock(&mutex);
      ready = true;
      pthread_cond_signal(&condition);
      pthread_mutex_unlock(&mutex);
    });
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    while (!ready) pthread_cond_wait(&condition, &mutex);
    int error = -1;
    std::thread tries([&] { error = pthread_mutex_trylock(&mutex); });
    tries.join();
    assert(error == EBUSY);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    other.join();
  });
}

// --- semaphores ----------------------------------------------------------------------------------------------------

TEST_P(PthreadWait, Semaphore) {
  passes([] {
    sem_t semaphore;
    assert(sem_init(&semaphore, 0, 1) == 0);
    int value = -1;
    assert(sem_getvalue(&semaphore, &value) == 0 && value == 1);
    assert(sem_wait(&semaphore) == 0);
    errno = 0;
    assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    std::thread other([&] { assert(sem_post(&semaphore) == 0); });
    assert(sem_wait(&semaphore) == 0);
    other.join();
    assert(sem_getvalue(&semaphore, &value) == 0 && value == 0);
    assert(sem_destroy(&semaphore) == 0);
  });
}

TEST_P(PthreadWait, TimedSemaphore) {
  for (const clockid_t clock : {CLOCK_REALTIME, CLOCK_MONOTONIC}) {
    Seen<int> seen;
    passes([&] {
      sem_t semaphore;
      sem_init(&semaphore, 0, 0);
      std::thread other([&] { sem_post(&semaphore); });
      const timespec until = from_now(clock, 5);
      errno = 0;
      const int result =
          clock == CLOCK_REALTIME ? sem_timedwait(&semaphore, &until) : sem_clockwait(&semaphore, clock, &until);
      seen.insert(result == 0 ? 0 : errno);
      other.join();
      sem_destroy(&semaphore);
    });
    EXPECT_EQ(seen, (Seen<int>{0, ETIMEDOUT}));
  }
}

TEST_P(PthreadWait, SemaphoreMadeOutsideBeginsEachExecutionAsItIs) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 2);
  passes([&] {
    assert(sem_wait(&semaphore) == 0 && sem_wait(&semaphore) == 0);
    assert(sem_trywait(&semaphore) == -1);
  });
  int value = 0;
  sem_getvalue(&semaphore, &value);
  EXPECT_EQ(value, 2);
  sem_destroy(&semaphore);
}

TEST_P(PthreadWait, NamedSemaphore) {
  const std::string name = "/heddle-test-" + std::to_string(getpid());
  sem_t* const semaphore = sem_open(name.c_str(), O_CREAT | O_EXCL, 0600, 0);
  ASSERT_NE(semaphore, SEM_FAILED);
  sem_unlink(name.c_str());
  passes([&] {
    std::thread other([&] { sem_post(semaphore); });
    assert(sem_wait(semaphore) == 0);
    other.join();
  });
  sem_close(semaphore);
}

// --- barriers and once ---------------------------------------------------------------------------------------------

TEST_P(PthreadWait, BarrierOfOneLetsThrough) {
  passes([] {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 1);
    for (int i = 0; i < 3; ++i) assert(pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    pthread_barrier_destroy(&barrier);
  });
}

TEST_P(PthreadWait, BarrierIsUsedAgainAtOnce) {
  passes([] {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 2);
    int serial = 0, at[2] = {};
    const auto run = [&](int who) {
      for (int round = 0; round < 3; ++round) {
        at[who] = round;
        serial += pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD ? 1 : 0;
        assert(at[1 - who] >= round);
      }
    };
    std::thread other(run, 1);
    run(0);
    other.join();
    assert(serial == 3);
    pthread_barrier_destroy(&barrier);
  });
}

int once_calls;

TEST_P(PthreadWait, Once) {
  passes([] {
    pthread_once_t flag = PTHREAD_ONCE_INIT;
    once_calls = 0;
    const auto use = [&] {
      const int error = pthread_once(&flag, [] {
        heddle::step();
        ++once_calls;
      });
      assert(error == 0 && once_calls == 1);
    };
    std::thread one(use);
    std::thread two(use);
    use();
    one.join();
    two.join();
  });
}

TEST_P(PthreadWait, OnceInsideItselfIsADeadlock) {
  static pthread_once_t flag = PTHREAD_ONCE_INIT;
  const Result result = finds("deadlock", [] { pthread_once(&flag, [] { pthread_once(&flag, [] {}); }); });
  EXPECT_EQ(result.message, "T0 waits for o1 (which it holds itself)");
}

}  // namespace
}  // namespace heddle::test
