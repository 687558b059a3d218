// Outside an exploration every call goes straight through to libc, before, after and beside one.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;

HEDDLE_ON_BOTH(FreeThread);

/// Real threads that work together through everything that heddle intercepts. Returns what they counted.
int work_together() {
  constexpr int kThreads = 4, kRounds = 200;
  std::mutex mutex;
  std::shared_mutex shared;
  std::condition_variable changed;
  std::once_flag once;
  sem_t semaphore;
  sem_init(&semaphore, 0, 2);
  pthread_barrier_t barrier;
  pthread_barrier_init(&barrier, nullptr, kThreads);
  int turn = 0, counted = 0, calls = 0;
  std::atomic<int> flag = 0;
  const auto work = [&](int who) {
    thread_local int rounds = 0;
    std::call_once(once, [&] { ++calls; });
    pthread_barrier_wait(&barrier);
    for (; rounds < kRounds; ++rounds) {
      sem_wait(&semaphore);
      sem_post(&semaphore);
      { const std::shared_lock guard(shared); }
      std::unique_lock guard(mutex);
      changed.wait(guard, [&] { return turn == who; });
      turn = (turn + 1) % kThreads;
      ++counted;
      changed.notify_all();
    }
    if (who == 0) {
      flag = 1;
      flag.notify_all();
    }
    flag.wait(0);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  sem_destroy(&semaphore);
  pthread_barrier_destroy(&barrier);
  return calls == 1 && counted == kThreads * kRounds ? counted : -1;
}

TEST_P(FreeThread, RunBeforeAndAfterAnExploration) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(is_exploring());
    EXPECT_EQ(work_together(), 800);
    passes([] {
      assert(is_exploring());
      std::mutex mutex;
      std::thread other([&] {
        assert(is_exploring());
        const std::lock_guard guard(mutex);
      });
      { const std::lock_guard guard(mutex); }
      other.join();
    });
  }
  EXPECT_EQ(work_together(), 800);
}

TEST_P(FreeThread, RunBesideAnExploration) {
  std::atomic<bool> stop = false;
  std::atomic<int> rounds = 0, wrong = 0;
  std::thread beside([&] {
    while (!stop) {
      wrong += work_together() != 800 || is_exploring();
      ++rounds;
    }
  });
  std::thread sleeps([&] {
    while (!stop) {
      const auto start = std::chrono::steady_clock::now();
      std::this_thread::sleep_for(1ms);
      wrong += std::chrono::steady_clock::now() - start < 1ms;  // real time, not that of the execution
      wrong += std::chrono::system_clock::now() < std::chrono::system_clock::time_point(1'735'700'000s);
    }
  });
  while (rounds < 3) {
    passes([] {
      std::mutex mutex;
      std::condition_variable changed;
      bool ready = false;
      std::thread other([&] {
        std::this_thread::sleep_for(1h);
        const std::lock_guard guard(mutex);
        ready = true;
        changed.notify_one();
      });
      {
        std::unique_lock guard(mutex);
        changed.wait(guard, [&] { return ready; });
      }
      other.join();
    });
  }
  stop = true;
  beside.join();
  sleeps.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(FreeThread, ObjectsMayBeUsedFreeAndInAnExploration) {
  std::mutex mutex;
  std::condition_variable changed;
  int value = 0;
  for (int i = 0; i < 3; ++i) {
    std::thread free([&] {
      const std::lock_guard guard(mutex);
      value = 1;
      changed.notify_one();
    });
    {
      std::unique_lock guard(mutex);
      changed.wait(guard, [&] { return value == 1; });
    }
    free.join();
    passes([&] {
      value = 0;
      std::thread controlled([&] {
        const std::lock_guard guard(mutex);
        value = 2;
        changed.notify_one();
      });
      {
        std::unique_lock guard(mutex);
        changed.wait(guard, [&] { return value == 2; });
      }
      controlled.join();
    });
    value = 0;
  }
}

TEST_P(FreeThread, ExploresFromAnyThread) {
  for (int i = 0; i < 3; ++i) {
    std::async(std::launch::async, [this] {
      passes([] {
        thread_local int fresh = 0;
        assert(fresh++ == 0);
        std::thread([] { assert(fresh++ == 0); }).join();
      });
    }).get();
  }
}

TEST_P(FreeThread, ChooseAndStepOutsideDoNothing) {
  EXPECT_EQ(choose(7), 0u);
  step();
  EXPECT_DEATH(fail("by hand"), "heddle::fail outside an exploration: by hand");
}

}  // namespace
}  // namespace heddle::test
