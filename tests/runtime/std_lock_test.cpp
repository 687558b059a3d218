// The mutexes of the standard library: who is let in together with whom, and what a try or a timeout returns.
#include <chrono>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;

HEDDLE_ON_BOTH(StdLock);

/// Counts who is inside. The scheduling points in it let the others in, if anything does.
struct Room {
  int inside = 0;
  int most = 0;

  void visit() {
    ++inside;
    most = inside > most ? inside : most;
    heddle::step();
    --inside;
  }
};

template <typename Mutex>
void exclude_each_other() {
  Mutex mutex;
  Room room;
  const auto enter = [&] {
    const std::lock_guard guard(mutex);
    room.visit();
  };
  std::thread one(enter);
  std::thread two(enter);
  enter();
  one.join();
  two.join();
  assert(room.most == 1);
}

TEST_P(StdLock, MutexExcludes) { passes(exclude_each_other<std::mutex>); }
TEST_P(StdLock, RecursiveMutexExcludes) { passes(exclude_each_other<std::recursive_mutex>); }
TEST_P(StdLock, TimedMutexExcludes) { passes(exclude_each_other<std::timed_mutex>); }
TEST_P(StdLock, RecursiveTimedMutexExcludes) { passes(exclude_each_other<std::recursive_timed_mutex>); }
TEST_P(StdLock, SharedMutexExcludes) { passes(exclude_each_other<std::shared_mutex>); }
TEST_P(StdLock, SharedTimedMutexExcludes) { passes(exclude_each_other<std::shared_timed_mutex>); }

/// What `attempt` returns while another thread takes the mutex and gives it back: both, in some schedule.
template <typename Mutex, typename Attempt>
void both_happen(const std::function<void(const Body&)>& explore, const Attempt& attempt) {
  Seen<bool> seen;
  explore([&] {
    Mutex mutex;
    std::thread other([&] {
      const std::lock_guard guard(mutex);
      heddle::step();
    });
    const bool taken = attempt(mutex);
    seen.insert(taken);
    if (taken) mutex.unlock();
    other.join();
    const bool free_again = mutex.try_lock();
    assert(free_again);
    mutex.unlock();
  });
  EXPECT_EQ(seen, (Seen<bool>{false, true}));
}

TEST_P(StdLock, TryLockSucceedsOrNot) {
  const auto explore = [this](const Body& body) { passes(body); };
  both_happen<std::mutex>(explore, [](auto& mutex) { return mutex.try_lock(); });
  both_happen<std::recursive_mutex>(explore, [](auto& mutex) { return mutex.try_lock(); });
  both_happen<std::shared_mutex>(explore, [](auto& mutex) { return mutex.try_lock(); });
}

TEST_P(StdLock, TimedLockSucceedsOrTimesOut) {
  const auto explore = [this](const Body& body) { passes(body); };
  both_happen<std::timed_mutex>(explore, [](auto& mutex) { return mutex.try_lock_for(1ms); });
  both_happen<std::recursive_timed_mutex>(explore, [](auto& mutex) { return mutex.try_lock_for(1h); });
  both_happen<std::shared_timed_mutex>(explore, [](auto& mutex) { return mutex.try_lock_for(1ms); });
  both_happen<std::timed_mutex>(
      explore, [](auto& mutex) { return mutex.try_lock_until(std::chrono::steady_clock::now() + 1ms); });
  both_happen<std::shared_timed_mutex>(
      explore, [](auto& mutex) { return mutex.try_lock_until(std::chrono::system_clock::now() + 1ms); });
}

TEST_P(StdLock, TimedLockWaitsAsLongAsItMustWhenTimeIsPatient) {
  passes(
      [] {
        std::timed_mutex mutex;
        std::thread other([&] {
          const std::lock_guard guard(mutex);
          heddle::step();
        });
        const bool taken = mutex.try_lock_for(1ms);
        assert(taken);
        mutex.unlock();
        other.join();
      },
      [](Options& options) { options.time_policy = TimePolicy::patient; });
}

TEST_P(StdLock, RecursiveMutexCountsItsLocks) {
  passes([] {
    std::recursive_mutex mutex;
    mutex.lock();
    const bool again = mutex.try_lock();
    assert(again);
    bool taken = true;
    std::thread other([&] { taken = mutex.try_lock(); });
    mutex.unlock();
    other.join();
    assert(!taken);
    mutex.unlock();
    std::thread last([&] {
      taken = mutex.try_lock();
      mutex.unlock();
    });
    last.join();
    assert(taken);
  });
}

template <typename Mutex>
void readers_share(const std::function<void(const Body&)>& explore) {
  Seen<int> most_readers;
  explore([&] {
    Mutex mutex;
    Room readers, writers;
    const auto read = [&] {
      const std::shared_lock guard(mutex);
      assert(writers.inside == 0);
      readers.visit();
      assert(writers.inside == 0);
    };
    std::thread one(read);
    std::thread two(read);
    {
      const std::unique_lock guard(mutex);
      assert(readers.inside == 0);
      writers.visit();
      assert(readers.inside == 0);
    }
    one.join();
    two.join();
    most_readers.insert(readers.most);
  });
  EXPECT_EQ(most_readers, (Seen<int>{1, 2}));
}

TEST_P(StdLock, ReadersShareAndWritersDoNot) {
  const auto explore = [this](const Body& body) { passes(body); };
  readers_share<std::shared_mutex>(explore);
  readers_share<std::shared_timed_mutex>(explore);
}

TEST_P(StdLock, SharedTryAndTimedLock) {
  Seen<std::pair<bool, bool>> seen;
  passes([&] {
    std::shared_timed_mutex mutex;
    std::thread writer([&] {
      const std::unique_lock guard(mutex);
      heddle::step();
    });
    const bool tried = mutex.try_lock_shared();
    if (tried) mutex.unlock_shared();
    const bool waited = mutex.try_lock_shared_for(1ms);
    if (waited) mutex.unlock_shared();
    writer.join();
    seen.emplace(tried, waited);
  });
  EXPECT_EQ(seen.size(), 4u);
}

TEST_P(StdLock, ScopedLockTakesSeveralInAnyOrder) {
  passes([] {
    std::mutex a, c;
    std::recursive_mutex b;
    Room room;
    std::thread one([&] {
      const std::scoped_lock all(a, b, c);
      room.visit();
    });
    std::thread two([&] {
      const std::scoped_lock all(c, a, b);
      room.visit();
    });
    {
      const std::scoped_lock all(b, c, a);
      room.visit();
    }
    one.join();
    two.join();
    assert(room.most == 1);
  });
}

TEST_P(StdLock, StdLockAndTryLock) {
  Seen<int> failed_at;
  passes([&] {
    std::mutex a, b;
    std::thread other([&] {
      std::lock(b, a);
      const std::lock_guard first(a, std::adopt_lock);
      const std::lock_guard second(b, std::adopt_lock);
      heddle::step();
    });
    const int failed = std::try_lock(a, b);
    failed_at.insert(failed);
    if (failed == -1) {
      a.unlock();
      b.unlock();
    }
    other.join();
  });
  EXPECT_EQ(failed_at, (Seen<int>{-1, 0, 1}));
}

TEST_P(StdLock, AnotherMutexMayComeToTheSameAddress) {
  passes([] {
    alignas(std::recursive_mutex) unsigned char place[sizeof(std::recursive_mutex)];
    for (int i = 0; i < 2; ++i) {
      auto* plain = new (place) std::mutex;
      std::thread one([&] { const std::lock_guard guard(*plain); });
      { const std::lock_guard guard(*plain); }
      one.join();
      std::destroy_at(plain);
      auto* recursive = new (place) std::recursive_mutex;
      recursive->lock();
      std::thread two([&] { const std::lock_guard guard(*recursive); });
      recursive->lock();
      recursive->unlock();
      recursive->unlock();
      two.join();
      std::destroy_at(recursive);
    }
  });
}

TEST_P(StdLock, WhatWasLockedBeforeTheExplorationStaysLocked) {
  std::mutex mutex;
  mutex.lock();
  const Result result = finds("deadlock", [&] { const std::lock_guard guard(mutex); });
  EXPECT_EQ(result.message, "T0 waits for m1 (locked before the exploration began)");
  mutex.unlock();
  passes([&] { const std::lock_guard guard(mutex); });
  EXPECT_TRUE(mutex.try_lock());  // an execution leaves nothing behind in it
  mutex.unlock();
}

TEST_P(StdLock, WhatAnExecutionLeavesLockedIsFreeInTheNext) {
  std::mutex mutex;
  for (int i = 0; i < 3; ++i) {
    finds("failed", [&] {
      mutex.lock();
      heddle::fail("with the lock");
    });
  }
  EXPECT_TRUE(mutex.try_lock());
  mutex.unlock();
}

}  // namespace
}  // namespace heddle::test
