// C11 threads: the pthread front under other names, with results of their own.
#include <threads.h>

#include <cerrno>
#include <ctime>
#include <functional>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(C11);

timespec from_now(long seconds) {
  timespec time;
  timespec_get(&time, TIME_UTC);
  time.tv_sec += seconds;
  return time;
}

/// Runs a lambda in a thread, and gives what it returned.
class Worker {
 public:
  explicit Worker(std::function<int()> body) : body_(std::move(body)) {
    assert(thrd_create(&thread_, run, this) == thrd_success);
  }
  int join() {
    int result = -1;
    assert(thrd_join(thread_, &result) == thrd_success);
    return result;
  }
  thrd_t thread() const { return thread_; }

 private:
  static int run(void* self) { return static_cast<Worker*>(self)->body_(); }
  std::function<int()> body_;
  thrd_t thread_{};
};

TEST_P(C11, ThreadsReturnAndExitWithAnInteger) {
  passes([] {
    Worker returns([] { return -7; });
    Worker exits([]() -> int { thrd_exit(8); });
    assert(returns.join() == -7);
    assert(exits.join() == 8);
    thrd_t self = thrd_current();
    Worker other([self] { return thrd_equal(self, thrd_current()); });
    assert(other.join() == 0);
  });
}

TEST_P(C11, BothOrdersOfTwoThreadsAreSeen) {
  Seen<int> first;
  passes([&] {
    mtx_t mutex;
    mtx_init(&mutex, mtx_plain);
    int winner = 0;
    const auto race = [&](int me) {
      mtx_lock(&mutex);
      if (winner == 0) winner = me;
      mtx_unlock(&mutex);
      return 0;
    };
    Worker one([&] { return race(1); });
    Worker two([&] { return race(2); });
    one.join();
    two.join();
    mtx_destroy(&mutex);
    first.insert(winner);
  });
  EXPECT_EQ(first, (Seen<int>{1, 2}));
}

TEST_P(C11, DetachedThreadsNeedNoJoin) {
  passes([] {
    thrd_t thread;
    assert(thrd_create(
               &thread, [](void*) { return 0; }, nullptr) == thrd_success);
    assert(thrd_detach(thread) == thrd_success);
    for (int i = 0; i < 3; ++i) thrd_yield();
  });
}

TEST_P(C11, SleepsPassVirtualTime) {
  passes([] {
    const timespec start = from_now(0);
    const timespec hour = {3600, 0};
    assert(thrd_sleep(&hour, nullptr) == 0);
    const timespec end = from_now(0);
    assert(end.tv_sec - start.tv_sec >= 3600 && end.tv_sec - start.tv_sec < 3602);
    const timespec wrong = {0, 1'000'000'000};
    assert(thrd_sleep(&wrong, nullptr) == -2);
  });
}

TEST_P(C11, ThreadsThatNobodyJoinsAreFound) {
  finds("leaked-thread", [] {
    thrd_t thread;
    thrd_create(
        &thread, [](void*) { return 0; }, nullptr);
  });
}

TEST_P(C11, MutexesOfEveryType) {
  passes([] {
    mtx_t plain;
    assert(mtx_init(&plain, mtx_plain) == thrd_success);
    assert(mtx_lock(&plain) == thrd_success);
    assert(mtx_trylock(&plain) == thrd_busy);
    assert(mtx_unlock(&plain) == thrd_success);
    mtx_destroy(&plain);
    mtx_t recursive;
    assert(mtx_init(&recursive, mtx_timed | mtx_recursive) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success && mtx_trylock(&recursive) == thrd_success);
    Worker other([&] {
      const timespec soon = from_now(1);
      return mtx_timedlock(&recursive, &soon);
    });
    assert(other.join() == thrd_timedout);
    assert(mtx_unlock(&recursive) == thrd_success && mtx_unlock(&recursive) == thrd_success);
    const timespec soon = from_now(1);
    assert(mtx_timedlock(&recursive, &soon) == thrd_success);
    assert(mtx_unlock(&recursive) == thrd_success);
    mtx_destroy(&recursive);
    assert(mtx_init(&plain, 64) == thrd_error);
  });
}

TEST_P(C11, LockOrderDeadlockIsFound) {
  finds("deadlock", [] {
    mtx_t locks[2];
    for (mtx_t& lock : locks) mtx_init(&lock, mtx_plain);
    const auto take = [&](int first) {
      mtx_lock(&locks[first]);
      mtx_lock(&locks[1 - first]);
      mtx_unlock(&locks[1 - first]);
      mtx_unlock(&locks[first]);
      return 0;
    };
    Worker one([&] { return take(0); });
    Worker two([&] { return take(1); });
    one.join();
    two.join();
  });
}

TEST_P(C11, ConditionsWakeOneOrAllOrTimeOut) {
  Seen<int> timed;
  passes([&] {
    mtx_t mutex;
    cnd_t condition;
    mtx_init(&mutex, mtx_timed);
    assert(cnd_init(&condition) == thrd_success);
    int tickets = 0;
    const auto take = [&] {
      mtx_lock(&mutex);
      while (tickets == 0) assert(cnd_wait(&condition, &mutex) == thrd_success);
      --tickets;
      mtx_unlock(&mutex);
      return 0;
    };
    Worker one(take);
    Worker two(take);
    mtx_lock(&mutex);
    ++tickets;
    cnd_signal(&condition);
    mtx_unlock(&mutex);
    mtx_lock(&mutex);
    ++tickets;
    cnd_broadcast(&condition);
    const timespec soon = from_now(2);
    timed.insert(cnd_timedwait(&condition, &mutex, &soon));
    mtx_unlock(&mutex);
    one.join();
    two.join();
    cnd_destroy(&condition);
    mtx_destroy(&mutex);
  });
  EXPECT_EQ(timed, (Seen<int>{thrd_timedout}));
}

TEST_P(C11, StorageOfAThreadIsDestroyedAtItsEnd) {
  passes([] {
    static int destroyed;
    destroyed = 0;
    tss_t key;
    assert(tss_create(&key, [](void* value) { destroyed += *static_cast<int*>(value); }) == thrd_success);
    static int three = 3, four = 4;
    Worker one([&] { return tss_set(key, &three); });
    Worker two([&] {
      assert(tss_get(key) == nullptr);
      return tss_set(key, &four);
    });
    one.join();
    two.join();
    assert(destroyed == 7);
    tss_delete(key);
  });
}

TEST_P(C11, CallOnceCallsOnce) {
  passes([] {
    static int calls;
    static once_flag flag;
    calls = 0;
    flag = ONCE_FLAG_INIT;
    const auto ask = [] {
      call_once(&flag, [] {
        thrd_yield();
        ++calls;
      });
      return calls;
    };
    Worker one(ask);
    Worker two(ask);
    assert(one.join() == 1 && two.join() == 1);
  });
}

TEST_P(C11, IsLibcsOutside) {
  mtx_t mutex;
  ASSERT_EQ(mtx_init(&mutex, mtx_plain), thrd_success);
  Worker other([&] {
    mtx_lock(&mutex);
    mtx_unlock(&mutex);
    return 5;
  });
  EXPECT_EQ(other.join(), 5);
  mtx_destroy(&mutex);
}

}  // namespace
}  // namespace heddle::test
