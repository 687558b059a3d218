// Creating, joining, detaching, ending and cancelling threads with pthreads.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(PthreadThread);

void* return_argument(void* argument) { return argument; }

pthread_t start(void* (*body)(void*), void* argument = nullptr, bool detached = false) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (detached) pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  const int error = pthread_create(&thread, &attributes, body, argument);
  assert(error == 0);
  pthread_attr_destroy(&attributes);
  return thread;
}

void* result_of(pthread_t thread) {
  void* result = nullptr;
  const int error = pthread_join(thread, &result);
  assert(error == 0);
  return result;
}

timespec in_seconds(clockid_t clock, long seconds) {
  timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += seconds;
  return time;
}

TEST_P(PthreadThread, JoinTakesTheResult) {
  passes([] {
    int value = 0;
    assert(result_of(start(return_argument, &value)) == &value);
    const auto exits = [](void* argument) -> void* { pthread_exit(argument); };
    assert(result_of(start(exits, &value)) == &value);
  });
}

TEST_P(PthreadThread, TheBodyHasAThreadLikeAnyOther) {
  passes([] {
    static pthread_t body;
    body = pthread_self();
    const pthread_t cancels = start([](void*) -> void* {
      assert(pthread_cancel(body) == 0);
      return nullptr;
    });
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
    assert(pthread_join(cancels, nullptr) == 0);
    const pthread_t detached = start([](void*) -> void* {
      heddle::step();
      return nullptr;
    });
    assert(pthread_detach(detached) == 0);
  });
}

TEST_P(PthreadThread, TryJoinAndTimedJoin) {
  Seen<int> tried, timed, clocked;
  passes([&] {
    const auto steps = [](void* argument) {
      heddle::step();
      return argument;
    };
    pthread_t thread = start(steps, &tried);
    void* result = nullptr;
    int error = pthread_tryjoin_np(thread, &result);
    tried.insert(error);
    if (error != 0) result = result_of(thread);
    assert(result == &tried);

    thread = start(steps, &timed);
    timespec until = in_seconds(CLOCK_REALTIME, 1);
    error = pthread_timedjoin_np(thread, &result, &until);
    timed.insert(error);
    if (error != 0) result = result_of(thread);
    assert(result == &timed);

    thread = start(steps, &clocked);
    until = in_seconds(CLOCK_MONOTONIC, 1);
    error = pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &until);
    clocked.insert(error);
    if (error != 0) result = result_of(thread);
    assert(result == &clocked);
  });
  EXPECT_EQ(tried, (Seen<int>{0, EBUSY}));
  EXPECT_EQ(timed, (Seen<int>{0, ETIMEDOUT}));
  EXPECT_EQ(clocked, (Seen<int>{0, ETIMEDOUT}));
}

TEST_P(PthreadThread, DetachedFromTheStartOrLater) {
  static int ended;
  passes([] {
    ended = 0;
    const auto end = [](void*) -> void* {
      heddle::step();
      ++ended;
      return nullptr;
    };
    start(end, nullptr, true);
    pthread_detach(start(end));
    start([](void*) -> void* {
      pthread_detach(pthread_self());
      return nullptr;
    });
    sem_t never;
    sem_init(&never, 0, 0);
  });
  EXPECT_EQ(ended, 2);
}

TEST_P(PthreadThread, ExitOfTheBodyLetsTheOthersGoOn) {
  static int ended;
  passes([] {
    ended = 0;
    pthread_detach(start([](void*) -> void* {
      for (int i = 0; i < 3; ++i) heddle::step();
      ++ended;
      return nullptr;
    }));
    pthread_exit(nullptr);
  });
  EXPECT_EQ(ended, 1);
}

TEST_P(PthreadThread, ExitRunsDestructorsAndHandlers) {
  static std::string order;
  struct Frame {
    ~Frame() { order += 'd'; }
  };
  passes([] {
    order.clear();
    const auto body = [](void*) -> void* {
      thread_local struct Local {
        ~Local() { order += 't'; }
      } local;
      (void)&local;
      const Frame frame;
      pthread_cleanup_push([](void*) { order += 'h'; }, nullptr);
      pthread_exit(nullptr);
      pthread_cleanup_pop(0);
      return nullptr;
    };
    result_of(start(body));
    assert(order == "hdt");
  });
}

TEST_P(PthreadThread, CleanupHandlerThatIsPoppedRunsIfAskedTo) {
  static int handled;
  passes([] {
    handled = 0;
    const auto body = [](void*) -> void* {
      pthread_cleanup_push([](void*) { ++handled; }, nullptr);
      pthread_cleanup_pop(1);
      pthread_cleanup_push([](void*) { ++handled; }, nullptr);
      pthread_cleanup_pop(0);
      return nullptr;
    };
    result_of(start(body));
    assert(handled == 1);
  });
}

TEST_P(PthreadThread, NeitherJoinedNorDetachedIsALeak) {
  const Result result = finds("leaked-thread", [] { start(return_argument); });
  EXPECT_EQ(result.message, "T1 ended and was neither joined nor detached");
}

// --- cancellation --------------------------------------------------------------------------------------------------

sem_t never;
pthread_mutex_t mutex;
pthread_cond_t condition;

/// A thread that runs `body` is cancelled, wherever it stands, and ends.
void cancel(void* (*body)(void*)) {
  sem_init(&never, 0, 0);
  mutex = PTHREAD_MUTEX_INITIALIZER;
  condition = PTHREAD_COND_INITIALIZER;
  const pthread_t thread = start(body);
  heddle::step();
  heddle::step();
  assert(pthread_cancel(thread) == 0);
  assert(result_of(thread) == PTHREAD_CANCELED);
}

TEST_P(PthreadThread, CancelledAtEachCancellationPoint) {
  passes([] {
    cancel([](void*) -> void* {
      for (;;) {
        sched_yield();
        pthread_testcancel();
      }
    });
  });
  passes([] {
    cancel([](void*) -> void* {
      sem_wait(&never);
      return nullptr;
    });
  });
  passes([] {
    cancel([](void*) -> void* {
      for (;;) sleep(1);
    });
  });
  passes([] {
    cancel([](void*) -> void* {
      pthread_mutex_lock(&mutex);
      pthread_cond_wait(&condition, &mutex);
      return nullptr;
    });
  });
  passes([] {
    cancel([](void*) -> void* {
      const timespec far = in_seconds(CLOCK_REALTIME, 1'000'000);
      pthread_mutex_lock(&mutex);
      for (;;) pthread_cond_timedwait(&condition, &mutex, &far);
      return nullptr;
    });
  });
}

TEST_P(PthreadThread, CancelledWhileItJoins) {
  passes([] {
    sem_init(&never, 0, 0);
    static pthread_t waits;
    waits = start([](void*) -> void* {
      sem_wait(&never);
      return nullptr;
    });
    const pthread_t joins = start([](void*) -> void* {
      pthread_join(waits, nullptr);
      return nullptr;
    });
    pthread_cancel(joins);
    assert(result_of(joins) == PTHREAD_CANCELED);
    sem_post(&never);
    assert(result_of(waits) == nullptr);
  });
}

TEST_P(PthreadThread, CancelWaitsUntilItIsAllowed) {
  passes([] {
    static bool allowed;
    allowed = false;
    cancel([](void*) -> void* {
      int old = -1;
      assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
      for (int i = 0; i < 3; ++i) pthread_testcancel();
      allowed = true;
      pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
      assert(old == PTHREAD_CANCEL_DISABLE);
      for (;;) sleep(1);
    });
    assert(allowed);
  });
}

TEST_P(PthreadThread, CancelOfOneself) {
  passes([] {
    const pthread_t thread = start([](void*) -> void* {
      pthread_cancel(pthread_self());
      heddle::step();
      pthread_testcancel();
      return nullptr;
    });
    assert(result_of(thread) == PTHREAD_CANCELED);
  });
}

TEST_P(PthreadThread, CancelOfOneThatHasEndedDoesNothing) {
  Seen<bool> cancelled;
  passes([&] {
    int value = 0;
    const pthread_t thread = start(
        [](void* argument) {
          pthread_testcancel();
          return argument;
        },
        &value);
    heddle::step();
    assert(pthread_cancel(thread) == 0);
    void* const result = result_of(thread);
    assert(result == PTHREAD_CANCELED || result == &value);
    cancelled.insert(result == PTHREAD_CANCELED);
  });
  EXPECT_EQ(cancelled, (Seen<bool>{false, true}));
}

TEST_P(PthreadThread, CancelledInAConditionWaitHoldsTheMutexInItsHandler) {
  passes([] {
    static bool was_held;
    was_held = false;
    cancel([](void*) -> void* {
      pthread_mutex_lock(&mutex);
      pthread_cleanup_push(
          [](void*) {
            was_held = pthread_mutex_trylock(&mutex) == EBUSY;
            pthread_mutex_unlock(&mutex);
          },
          nullptr);
      for (;;) pthread_cond_wait(&condition, &mutex);
      pthread_cleanup_pop(0);
      return nullptr;
    });
    assert(was_held);
    assert(pthread_mutex_trylock(&mutex) == 0);
  });
}

TEST_P(PthreadThread, CancelDoesNotSwallowASignal) {
  // Two wait, one is cancelled, one signal is sent: the one that is left is woken by it, or the signal found both.
  passes([] {
    static int tickets;
    tickets = 0;
    mutex = PTHREAD_MUTEX_INITIALIZER;
    condition = PTHREAD_COND_INITIALIZER;
    const auto wait = [](void* argument) {
      pthread_mutex_lock(&mutex);
      pthread_cleanup_push([](void*) { pthread_mutex_unlock(&mutex); }, nullptr);
      while (tickets == 0) pthread_cond_wait(&condition, &mutex);
      pthread_cleanup_pop(1);
      return argument;
    };
    const pthread_t one = start(wait);
    const pthread_t two = start(wait);
    pthread_cancel(one);
    pthread_join(one, nullptr);
    pthread_mutex_lock(&mutex);
    tickets = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    assert(result_of(two) == nullptr);
  });
}

}  // namespace
}  // namespace heddle::test
