// Condition variables, semaphores, latches, barriers, once flags, atomic waits and static variables of functions.
#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;

HEDDLE_ON_BOTH(StdWait);

TEST_P(StdWait, ConditionWakesWhoWaits) {
  passes([] {
    std::mutex mutex;
    std::condition_variable changed;
    int value = 0;
    const auto wait_for = [&](int wanted) {
      std::unique_lock guard(mutex);
      changed.wait(guard, [&] { return value >= wanted; });
      assert(guard.owns_lock());
    };
    std::thread one(wait_for, 1);
    std::thread two(wait_for, 2);
    for (int i = 0; i < 2; ++i) {
      const std::lock_guard guard(mutex);
      ++value;
      changed.notify_all();
    }
    one.join();
    two.join();
  });
}

TEST_P(StdWait, NotifyOneWakesAnyWaiterWhenThatIsAChoice) {
  for (const bool choose : {true, false}) {
    Seen<int> woken_first;
    passes(
        [&] {
          std::mutex mutex;
          std::condition_variable turn;
          int waiting = 0, first = 0;
          bool open = false;
          const auto wait = [&](int number) {
            std::unique_lock guard(mutex);
            if (++waiting != number) return;  // they shall come in the order of their numbers
            turn.wait(guard, [&] { return open; });
            if (first == 0) first = number;
            turn.notify_all();
          };
          std::thread one(wait, 1);
          std::thread two(wait, 2);
          std::unique_lock guard(mutex);
          const bool both_wait = waiting == 2;
          open = true;
          turn.notify_one();
          guard.unlock();
          one.join();
          two.join();
          if (both_wait && first != 0) woken_first.insert(first);
        },
        [&](Options& options) { options.choose_waiter = choose; });
    EXPECT_EQ(woken_first, choose ? (Seen<int>{1, 2}) : Seen<int>{1});
  }
}

TEST_P(StdWait, ConditionWaitTimesOutOrIsNotified) {
  Seen<std::cv_status> relative, absolute, by_date;
  const auto explore = [this](Seen<std::cv_status>& seen, const auto& wait) {
    passes([&] {
      std::mutex mutex;
      std::condition_variable changed;
      bool waits = false;
      std::thread other([&] {
        const std::lock_guard guard(mutex);
        changed.notify_one();
      });
      {
        std::unique_lock guard(mutex);
        waits = true;
        seen.insert(wait(changed, guard));
        assert(guard.owns_lock());
      }
      other.join();
      assert(waits);
    });
  };
  explore(relative, [](auto& changed, auto& guard) { return changed.wait_for(guard, 1s); });
  explore(absolute,
          [](auto& changed, auto& guard) { return changed.wait_until(guard, std::chrono::steady_clock::now() + 1s); });
  explore(by_date,
          [](auto& changed, auto& guard) { return changed.wait_until(guard, std::chrono::system_clock::now() + 1s); });
  const Seen<std::cv_status> both = {std::cv_status::timeout, std::cv_status::no_timeout};
  EXPECT_EQ(relative, both);
  EXPECT_EQ(absolute, both);
  EXPECT_EQ(by_date, both);
}

TEST_P(StdWait, SpuriousWakeupsComeOnlyWhenAskedFor) {
  for (const bool spurious : {false, true}) {
    Seen<int> wakeups;
    passes(
        [&] {
          std::mutex mutex;
          std::condition_variable changed;
          bool done = false;
          int woken = 0;
          std::thread waiter([&] {
            std::unique_lock guard(mutex);
            while (!done) {
              changed.wait(guard);
              ++woken;
            }
          });
          {
            const std::lock_guard guard(mutex);
            done = true;
            changed.notify_one();
          }
          waiter.join();
          wakeups.insert(woken);
        },
        [&](Options& options) { options.spurious_wakeups = spurious; });
    if (spurious)
      EXPECT_GT(*wakeups.rbegin(), 1);
    else
      EXPECT_EQ(wakeups, (Seen<int>{0, 1}));
  }
}

TEST_P(StdWait, ConditionOfAnyLock) {
  passes([] {
    std::shared_mutex mutex;
    std::condition_variable_any changed;
    bool ready = false;
    std::thread reader([&] {
      std::shared_lock guard(mutex);
      changed.wait(guard, [&] { return ready; });
    });
    {
      const std::unique_lock guard(mutex);
      ready = true;
    }
    changed.notify_all();
    reader.join();
  });
}

TEST_P(StdWait, ConditionOfAnyLockEndsWhenAskedToStop) {
  Seen<bool> satisfied;
  passes([&] {
    std::mutex mutex;
    std::condition_variable_any changed;
    bool ready = false;
    std::jthread waiter([&](std::stop_token token) {
      std::unique_lock guard(mutex);
      const bool held = changed.wait(guard, token, [&] { return ready; });
      assert(held == ready);
      satisfied.insert(held);
    });
    std::thread setter([&] {
      {
        const std::lock_guard guard(mutex);
        ready = true;
      }
      changed.notify_all();
    });
    heddle::step();
    waiter.request_stop();
    setter.join();
  });
  EXPECT_EQ(satisfied, (Seen<bool>{false, true}));
}

TEST_P(StdWait, ConditionOfAnyLockTimesOut) {
  passes([] {
    std::timed_mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock guard(mutex);
    assert(changed.wait_for(guard, 1ms) == std::cv_status::timeout);
    assert(!changed.wait_for(guard, 1ms, [] { return false; }));
  });
}

TEST_P(StdWait, NotifyAllAtThreadExit) {
  passes([] {
    std::mutex mutex;
    std::condition_variable ended;
    bool done = false;
    std::thread thread([&] {
      std::unique_lock guard(mutex);
      done = true;
      std::notify_all_at_thread_exit(ended, std::move(guard));
    });
    {
      std::unique_lock guard(mutex);
      ended.wait(guard, [&] { return done; });
    }
    thread.join();
  });
}

TEST_P(StdWait, CountingSemaphoreLetsSoManyIn) {
  Seen<int> most;
  passes([&] {
    std::counting_semaphore<2> places(2);
    int inside = 0, highest = 0;
    const auto enter = [&] {
      places.acquire();
      highest = std::max(highest, ++inside);
      heddle::step();
      --inside;
      places.release();
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(enter);
    for (std::thread& thread : threads) thread.join();
    assert(highest <= 2);
    most.insert(highest);
  });
  EXPECT_EQ(most, (Seen<int>{1, 2}));
}

TEST_P(StdWait, BinarySemaphorePassesTurns) {
  passes([] {
    std::binary_semaphore ping(1), pong(0);
    std::string order;
    std::thread other([&] {
      for (int i = 0; i < 2; ++i) {
        pong.acquire();
        order += 'o';
        ping.release();
      }
    });
    for (int i = 0; i < 2; ++i) {
      ping.acquire();
      order += 'i';
      pong.release();
    }
    other.join();
    assert(order == "ioio");
  });
}

TEST_P(StdWait, SemaphoreWaitTimesOutOrSucceeds) {
  Seen<bool> seen;
  passes([&] {
    std::counting_semaphore<> items(0);
    assert(!items.try_acquire());
    std::thread other([&] {
      for (int i = 0; i < 40; ++i) heddle::step();  // it yields and sleeps before it waits, behind who could go on
      items.release();
    });
    const bool taken = items.try_acquire_for(10ms);
    other.join();
    assert(taken != items.try_acquire());
    assert(!items.try_acquire_until(std::chrono::steady_clock::now() + 1ms));
    seen.insert(taken);
  });
  EXPECT_EQ(seen, (Seen<bool>{false, true}));
}

TEST_P(StdWait, LatchOpensWhenAllCame) {
  passes([] {
    std::latch all(3);
    std::atomic<int> came = 0;
    const auto come = [&] {
      ++came;
      all.arrive_and_wait();
      assert(came == 3);
    };
    std::thread one(come);
    std::thread two([&] {
      ++came;
      all.count_down();
    });
    come();
    one.join();
    two.join();
    assert(all.try_wait());
  });
}

TEST_P(StdWait, BarrierRunsItsCompletionOnceARound) {
  passes([] {
    int rounds = 0, came = 0;
    std::mutex mutex;
    const auto complete = [&]() noexcept {
      assert(came == 3 * (rounds + 1));
      ++rounds;
    };
    std::barrier barrier(3, complete);
    const auto meet = [&] {
      for (int round = 1; round <= 2; ++round) {
        {
          const std::lock_guard guard(mutex);
          ++came;
        }
        barrier.arrive_and_wait();
        assert(rounds >= round);
      }
    };
    std::thread one(meet);
    std::thread two(meet);
    meet();
    one.join();
    two.join();
    assert(rounds == 2);
  });
}

TEST_P(StdWait, BarrierCanBeLeft) {
  passes([] {
    std::barrier barrier(2);
    std::thread one([&] {
      barrier.arrive_and_wait();
      barrier.arrive_and_wait();
    });
    std::thread two([&] { barrier.arrive_and_drop(); });
    one.join();
    two.join();
  });
}

TEST_P(StdWait, CallOnceCallsOnce) {
  Seen<int> callers;
  passes([&] {
    std::once_flag flag;
    int calls = 0, caller = 0;
    const auto use = [&](int number) {
      std::call_once(flag, [&] {
        heddle::step();
        ++calls;
        caller = number;
      });
      assert(calls == 1);
    };
    std::thread one(use, 1);
    std::thread two(use, 2);
    use(3);
    one.join();
    two.join();
    callers.insert(caller);
  });
  EXPECT_EQ(callers, (Seen<int>{1, 2, 3}));
}

TEST_P(StdWait, CallOnceThatThrowsIsTriedByTheNext) {
  passes([] {
    std::once_flag flag;
    int calls = 0, caught = 0;
    const auto use = [&] {
      try {
        std::call_once(flag, [&] {
          heddle::step();
          if (++calls < 3) throw std::runtime_error("not yet");
        });
      } catch (const std::runtime_error&) {
        ++caught;
      }
    };
    std::thread one(use);
    std::thread two(use);
    use();
    one.join();
    two.join();
    assert(calls == 3 && caught == 2);
  });
}

/// Of sizes that are a futex word themselves and of others, which share words.
template <typename Value>
void wait_and_notify() {
  std::atomic<Value> value = Value(0);
  std::atomic<int> woken = 0;
  const auto wait = [&] {
    value.wait(Value(0));
    assert(value.load() == Value(1));
    ++woken;
  };
  std::thread one(wait);
  std::thread two(wait);
  heddle::step();
  value = Value(1);
  value.notify_all();
  one.join();
  two.join();
  assert(woken == 2);
}

TEST_P(StdWait, AtomicWaitsOfEverySize) {
  passes(wait_and_notify<int>);
  passes(wait_and_notify<char>);
  passes(wait_and_notify<short>);
  passes(wait_and_notify<long>);
  passes(wait_and_notify<void*>);
  passes(wait_and_notify<bool>);
}

TEST_P(StdWait, AtomicFlagPassesABaton) {
  passes([] {
    std::atomic_flag flag;
    int value = 0;
    std::thread other([&] {
      flag.wait(false);
      assert(value == 1);
    });
    value = 1;
    flag.test_and_set();
    flag.notify_one();
    other.join();
  });
}

TEST_P(StdWait, AtomicWaitForWhatNobodyWritesIsADeadlock) {
  const Result result = finds("deadlock", [] {
    std::atomic<int> value = 0;
    value.wait(0);
  });
  EXPECT_EQ(result.message, "T0 waits for f1");
}

template <int>
int& made_once(std::mutex& mutex, int& made) {
  static int value = [&] {
    const std::lock_guard guard(mutex);
    return ++made;
  }();
  return value;
}

template <int Which>
void make_static_in_two_threads() {
  static bool is_first = true;
  std::mutex mutex;
  int made = 0;
  const auto use = [&] { assert(made_once<Which>(mutex, made) == 1); };
  std::thread one(use);
  std::thread two(use);
  use();
  one.join();
  two.join();
  assert(made == (is_first ? 1 : 0));  // it outlives the execution
  is_first = false;
}

TEST_P(StdWait, StaticOfAFunctionIsMadeOnce) {
  if (GetParam() == Executor::carrier)
    passes(make_static_in_two_threads<1>);
  else
    passes(make_static_in_two_threads<2>);
}

}  // namespace
}  // namespace heddle::test
