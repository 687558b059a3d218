// Misuse of each primitive: the sentence of the verdict, what the call returns when it is tolerated, and what only
// looks like it.
#include <gmock/gmock.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

class Misuse : public OnBoth {
 protected:
  /// In the very first schedule, with this sentence; and when it is tolerated, the body passes.
  void is_misuse(const std::string& sentence, const std::string& name, const Body& body) const {
    Options made = options("dfs");
    const Result found = try_explore(body, made);
    EXPECT_TRUE(found.bug_found) << name;
    EXPECT_EQ(found.verdict, "misuse") << found.report;
    EXPECT_EQ(found.message, sentence + " [" + name + "]");
    EXPECT_EQ(found.executions, 1u);
    EXPECT_TRUE(found.reproduced);
    made.allow = {name};
    const Result allowed = try_explore(body, made);
    EXPECT_FALSE(allowed.bug_found) << allowed.report;
  }

  /// Under the first of 1000 random schedules that shows it.
  void may_be_misuse(const std::string& sentence, const Body& body) const {
    EXPECT_EQ(finds("misuse", body).message, sentence);
  }

  /// In every schedule: who sleeps wakes only when nobody else can go on.
  void is_misuse_in_the_end(const std::string& sentence, const Body& body) const {
    const auto patiently = [](Options& made) { made.time_policy = TimePolicy::patient; };
    EXPECT_EQ(finds("misuse", body, patiently).message, sentence);
  }
};
INSTANTIATE_TEST_SUITE_P(On, Misuse, testing::Values(Executor::carrier, Executor::baton), name_of);

template <typename Function>
void elsewhere(Function function) {
  std::thread(function).join();
}

// --- locks -----------------------------------------------------------------------------------------------------------

TEST_P(Misuse, UnlockOfWhatAnotherHolds) {
  is_misuse("T1 unlocks mutex m1, which T0 holds", "unlock-not-owner", [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    elsewhere([&] { assert(pthread_mutex_unlock(&mutex) == EPERM); });
    assert(pthread_mutex_unlock(&mutex) == 0);
  });
  is_misuse("T1 unlocks spin lock sp1, which T0 holds", "unlock-not-owner", [] {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    pthread_spin_lock(&lock);
    elsewhere([&] { assert(pthread_spin_unlock(&lock) == EPERM); });
    assert(pthread_spin_unlock(&lock) == 0);
  });
  is_misuse("T1 unlocks read-write lock rw1, which T0 holds", "unlock-not-owner", [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_wrlock(&lock);
    elsewhere([&] { assert(pthread_rwlock_unlock(&lock) == EPERM); });
    assert(pthread_rwlock_unlock(&lock) == 0);
  });
  is_misuse("T1 unlocks read-write lock rw1, which T0 holds", "unlock-not-owner", [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    elsewhere([&] { assert(pthread_rwlock_unlock(&lock) == EPERM); });
    assert(pthread_rwlock_unlock(&lock) == 0);
  });
}

TEST_P(Misuse, UnlockOfWhatNobodyHolds) {
  is_misuse("T0 unlocks mutex m2, which nobody holds", "unlock-unlocked", [] {
    std::mutex other, mutex;
    other.lock();
    mutex.unlock();
    other.unlock();
  });
  is_misuse("T0 unlocks read-write lock rw1, which nobody holds", "unlock-unlocked", [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    assert(pthread_rwlock_unlock(&lock) == EPERM);
  });
}

TEST_P(Misuse, RobustMutexesTellStrangers) {
  passes([] {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    pthread_mutex_destroy(&mutex);
  });
}

TEST_P(Misuse, Relock) {
  is_misuse("T0 locks mutex m1, which it holds already", "relock", [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    assert(pthread_mutex_unlock(&mutex) == 0);
    elsewhere([&] { assert(pthread_mutex_lock(&mutex) + pthread_mutex_unlock(&mutex) == 0); });
  });
  is_misuse("T0 locks spin lock sp1, which it holds already", "relock", [] {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    assert(pthread_spin_lock(&lock) == 0);
    assert(pthread_spin_lock(&lock) == EDEADLK);
    assert(pthread_spin_unlock(&lock) == 0);
  });
}

TEST_P(Misuse, ATimedRelockTimesOut) {
  passes([] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec += 1;
    assert(pthread_mutex_timedlock(&mutex, &soon) == ETIMEDOUT);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    pthread_mutex_unlock(&mutex);
  });
}

// --- the life of objects ---------------------------------------------------------------------------------------------

TEST_P(Misuse, DestroyOfWhatIsHeld) {
  is_misuse("T0 destroys mutex m1, which it holds itself", "destroy-in-use", [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    assert(pthread_mutex_destroy(&mutex) == EBUSY);
    assert(pthread_mutex_unlock(&mutex) == 0);  // it is still there
  });
  is_misuse("T1 destroys read-write lock rw1, which T0 holds", "destroy-in-use", [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    elsewhere([&] { assert(pthread_rwlock_destroy(&lock) == EBUSY); });
    assert(pthread_rwlock_unlock(&lock) == 0);
  });
  is_misuse("T0 destroys spin lock sp1, which it holds itself", "destroy-in-use", [] {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    pthread_spin_lock(&lock);
    assert(pthread_spin_destroy(&lock) == EBUSY);
    pthread_spin_unlock(&lock);
  });
}

TEST_P(Misuse, DestroyOfWhatIsWaitedFor) {
  is_misuse_in_the_end("T0 destroys semaphore s1, which T1 waits for [destroy-in-use]", [] {
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    std::thread other([&] { sem_wait(&semaphore); });
    std::this_thread::sleep_for(std::chrono::seconds(1));
    sem_destroy(&semaphore);
    sem_post(&semaphore);
    other.join();
  });
  may_be_misuse("T0 destroys barrier b1, which T1 waits for [destroy-in-use]", [] {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 2);
    std::thread other([&] { pthread_barrier_wait(&barrier); });
    heddle::step();
    heddle::step();
    pthread_barrier_destroy(&barrier);
    other.join();
  });
}

TEST_P(Misuse, DestroyOfTheMutexOfAConditionWait) {
  may_be_misuse("T0 destroys mutex m1, which T1 waits for [destroy-in-use]", [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    bool waits = false;
    std::thread other([&] {
      pthread_mutex_lock(&mutex);
      waits = true;
      pthread_cond_wait(&condition, &mutex);
      pthread_mutex_unlock(&mutex);
    });
    while (!waits) sched_yield();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    other.join();
  });
}

TEST_P(Misuse, ABarrierMayGoWhenItsRoundIsComplete) {
  passes([] {
    auto* const barrier = new pthread_barrier_t;
    pthread_barrier_init(barrier, nullptr, 3);
    const auto come = [=] {
      if (pthread_barrier_wait(barrier) != PTHREAD_BARRIER_SERIAL_THREAD) return;
      pthread_barrier_destroy(barrier);
      delete barrier;
    };
    std::thread one(come), two(come);
    come();
    one.join();
    two.join();
  });
}

// Destroying is a step of its own: another thread may come just before it, between it and the unlock, or after it.
TEST_P(Misuse, OthersMayComeJustBeforeADestruction) {
  for (const char* strategy : {"dfs", "dfs:reduce=1"}) {
    std::set<std::pair<int, int>> outcomes;
    Options made = options(strategy);
    made.allow = {"destroy-in-use", "use-after-destroy"};
    const Result all = try_explore(
        [&] {
          pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
          pthread_mutex_lock(&mutex);
          int tried = -1;
          std::thread other([&] { tried = pthread_mutex_trylock(&mutex); });
          pthread_mutex_unlock(&mutex);
          const int destroyed = pthread_mutex_destroy(&mutex);
          other.join();
          outcomes.insert({tried, destroyed});
        },
        made);
    EXPECT_FALSE(all.bug_found) << all.report;
    EXPECT_TRUE(all.complete) << strategy;
    EXPECT_THAT(outcomes, testing::IsSupersetOf({std::pair(EBUSY, 0), std::pair(0, EBUSY), std::pair(0, 0)}))
        << strategy;
  }
}

TEST_P(Misuse, UseAfterDestroy) {
  const std::string name = "use-after-destroy";
  is_misuse("T0 uses a mutex that it destroyed itself", name, [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_destroy(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  });
  is_misuse("T1 uses a read-write lock that T0 destroyed", name, [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_destroy(&lock);
    elsewhere([&] { pthread_rwlock_rdlock(&lock), pthread_rwlock_unlock(&lock); });
  });
  is_misuse("T0 uses a condition that it destroyed itself", name, [] {
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_cond_destroy(&condition);
    pthread_cond_signal(&condition);
  });
  is_misuse("T0 uses a semaphore that it destroyed itself", name, [] {
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    sem_destroy(&semaphore);
    sem_trywait(&semaphore);
  });
  is_misuse("T0 uses a spin lock that it destroyed itself", name, [] {
    pthread_spinlock_t lock;
    pthread_spin_init(&lock, 0);
    pthread_spin_destroy(&lock);
    pthread_spin_trylock(&lock);
  });
  is_misuse("T0 uses a barrier that it destroyed itself", name, [] {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 1);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_wait(&barrier);
  });
  is_misuse("T0 uses a mutex that it destroyed itself", name, [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_destroy(&mutex);
    pthread_mutex_destroy(&mutex);
  });
}

pthread_mutex_t global_mutex;

TEST_P(Misuse, DoubleInitialisation) {
  is_misuse("T1 initialises mutex m1, which T0 holds", "double-init", [] {
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, nullptr);
    pthread_mutex_lock(&mutex);
    elsewhere([&] { pthread_mutex_init(&mutex, nullptr); });
  });
  is_misuse("T1 initialises mutex m1 again, which T0 did before and nobody destroyed", "double-init", [] {
    pthread_mutex_init(&global_mutex, nullptr);
    pthread_mutex_lock(&global_mutex);
    pthread_mutex_unlock(&global_mutex);
    elsewhere([] { pthread_mutex_init(&global_mutex, nullptr); });
  });
  may_be_misuse("T0 initialises condition c1, which T1 waits for [double-init]", [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition;
    pthread_cond_init(&condition, nullptr);
    bool waits = false;
    std::thread other([&] {
      pthread_mutex_lock(&mutex);
      waits = true;
      pthread_cond_wait(&condition, &mutex);
      pthread_mutex_unlock(&mutex);
    });
    while (!waits) sched_yield();
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_cond_init(&condition, nullptr);
    other.join();
  });
}

TEST_P(Misuse, InitialisationBeforeUseIsFineHoweverOften) {
  passes([] {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < 2; ++i) pthread_mutex_init(&mutex, nullptr);  // nobody used it yet
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    pthread_mutex_init(&mutex, nullptr);
  });
}

// --- conditions, semaphores, barriers --------------------------------------------------------------------------------

TEST_P(Misuse, WaitWithoutTheMutex) {
  is_misuse("T0 waits for condition c1 with mutex m1, which nobody holds", "wait-without-mutex", [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    assert(pthread_cond_wait(&condition, &mutex) == EPERM);
  });
  is_misuse("T1 waits for condition c1 with mutex m1, which it does not hold: T0 does", "wait-without-mutex", [] {
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    elsewhere([&] { assert(pthread_cond_wait(&condition, &mutex) == EPERM); });
    pthread_mutex_unlock(&mutex);
  });
}

TEST_P(Misuse, TwoMutexesOnOneCondition) {
  const Body body = [] {
    std::mutex one, two;
    std::condition_variable changed;
    const auto wait_with = [&](std::mutex& mutex) {
      std::unique_lock lock(mutex);
      changed.wait_for(lock, std::chrono::seconds(1));
    };
    std::thread other([&] { wait_with(one); });
    wait_with(two);
    other.join();
  };
  const Result result = finds("misuse", body);
  EXPECT_TRUE(result.message == "T0 waits for condition c1 with mutex m1, while T1 waits with mutex m2 [two-mutexes]" ||
              result.message == "T0 waits for condition c1 with mutex m2, while T1 waits with mutex m1 [two-mutexes]" ||
              result.message == "T1 waits for condition c1 with mutex m1, while T0 waits with mutex m2 [two-mutexes]" ||
              result.message == "T1 waits for condition c1 with mutex m2, while T0 waits with mutex m1 [two-mutexes]")
      << result.message;
  passes(body, [](Options& made) { made.allow = {"two-mutexes"}; });
}

TEST_P(Misuse, SemaphoreOverflow) {
  is_misuse("T0 releases semaphore s1, which is at its greatest value", "semaphore-overflow", [] {
    sem_t semaphore;
    sem_init(&semaphore, 0, SEM_VALUE_MAX);
    errno = 0;
    assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
    sem_destroy(&semaphore);
  });
}

TEST_P(Misuse, BarrierCount) {
  is_misuse("T0 initialises a barrier for 0 operations", "barrier-count", [] {
    pthread_barrier_t barrier;
    assert(pthread_barrier_init(&barrier, nullptr, 0) == EINVAL);
  });
  is_misuse("T0 initialises a barrier for -1 operations", "barrier-count", [] {
    pthread_barrier_t barrier;
    assert(pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(-1)) == EINVAL);
  });
  is_misuse_in_the_end("T0 initialises barrier b1 for 1 operations while 2 wait there [barrier-count]", [] {
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, 3);
    const auto come = [&] { pthread_barrier_wait(&barrier); };
    std::thread one(come), two(come);
    std::this_thread::sleep_for(std::chrono::seconds(1));
    pthread_barrier_init(&barrier, nullptr, 1);
    pthread_exit(nullptr);
  });
}

// --- threads ---------------------------------------------------------------------------------------------------------

void* nothing(void*) { return nullptr; }

TEST_P(Misuse, JoinTwice) {
  is_misuse("T0 joins T1, which it joined itself", "join-twice", [] {
    pthread_t thread;
    pthread_create(&thread, nullptr, nothing, nullptr);
    assert(pthread_join(thread, nullptr) == 0);
    assert(pthread_join(thread, nullptr) == ESRCH);
  });
  is_misuse("T2 joins T1, which T0 is joining already", "join-twice", [] {
    static pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void*) -> void* {
          pthread_t other;
          pthread_create(
              &other, nullptr,
              [](void*) -> void* {
                const int error = pthread_join(thread, nullptr);
                assert(error == EINVAL || error == ESRCH || error == 0);
                return nullptr;
              },
              nullptr);
          assert(pthread_join(other, nullptr) == 0);
          return nullptr;
        },
        nullptr);
    pthread_join(thread, nullptr);
  });
}

TEST_P(Misuse, JoinOfWhatCannotBeJoined) {
  is_misuse("T0 joins itself", "join-self", [] { assert(pthread_join(pthread_self(), nullptr) == EDEADLK); });
  is_misuse("T0 joins a thread that this execution never made, or no longer has", "join-unknown",
            [] { assert(pthread_join(pthread_t{}, nullptr) == ESRCH); });
  is_misuse("T0 joins T1, which is detached", "join-detached", [] {
    pthread_t thread;
    pthread_create(&thread, nullptr, nothing, nullptr);
    pthread_detach(thread);
    assert(pthread_join(thread, nullptr) == EINVAL);
  });
}

TEST_P(Misuse, DetachTwice) {
  is_misuse("T0 detaches T1, which is detached already", "detach-twice", [] {
    pthread_t thread;
    pthread_create(&thread, nullptr, nothing, nullptr);
    assert(pthread_detach(thread) == 0);
    assert(pthread_detach(thread) == EINVAL);
  });
  is_misuse("T0 detaches T1, which was joined already", "detach-twice", [] {
    pthread_t thread;
    pthread_create(&thread, nullptr, nothing, nullptr);
    assert(pthread_join(thread, nullptr) == 0);
    assert(pthread_detach(thread) == ESRCH);
  });
}

TEST_P(Misuse, TryJoinReturnsItsErrors) {
  passes([] {
    assert(pthread_tryjoin_np(pthread_t{}, nullptr) == ESRCH);
    pthread_t thread;
    pthread_create(&thread, nullptr, nothing, nullptr);
    int error;
    while ((error = pthread_tryjoin_np(thread, nullptr)) == EBUSY) sched_yield();
    assert(error == 0);
  });
}

TEST_P(Misuse, UnknownNamesCannotBeAllowed) {
  Options made = options("random");
  made.allow = {"relock", "tea"};
  try {
    (void)try_explore([] {}, made);
    FAIL() << "it was accepted";
  } catch (const WrongUse& wrong) {
    EXPECT_EQ(
        std::string(wrong.what()).find("Options::allow names `tea`, which is not a misuse; there are unlock-not-"), 0u)
        << wrong.what();
  }
}

TEST_P(Misuse, TheEnvironmentAllows) {
  setenv("HEDDLE_ALLOW", "relock,unlock-unlocked", 1);
  passes([] {
    std::mutex mutex;
    mutex.unlock();
  });
  unsetenv("HEDDLE_ALLOW");
}

// --- cycles ----------------------------------------------------------------------------------------------------------

/// T1 and T2 wait for each other, whoever met its lock first.
bool is_cycle_of_two(const std::string& message, const std::string& letters) {
  const auto waits = [&](const char* number, const char* other) {
    return "T1 waits for " + letters + number + " (held by T2), T2 waits for " + letters + other + " (held by T1)";
  };
  return message == waits("1", "2") || message == waits("2", "1");
}

TEST_P(Misuse, ACycleIsFoundThoughOthersGoOn) {
  const Result result = finds("deadlock", [] {
    std::mutex a, b;
    int holding = 0;
    const auto take = [&](std::mutex& first, std::mutex& second) {
      const std::lock_guard outer(first);
      ++holding;
      while (holding < 2) sched_yield();
      const std::lock_guard inner(second);
    };
    std::thread one(take, std::ref(a), std::ref(b));
    std::thread two(take, std::ref(b), std::ref(a));
    for (;;) heddle::step();  // there is no other end
  });
  EXPECT_TRUE(is_cycle_of_two(result.message, "m")) << result.message;
}

TEST_P(Misuse, ACycleMayCloseWhenAWaiterIsWoken) {
  const Result result = finds("deadlock", [] {
    std::mutex inner, outer;
    std::condition_variable changed;
    bool waits = false;
    bool holds = false;
    std::thread waiter([&] {
      const std::lock_guard held(outer);
      std::unique_lock lock(inner);
      waits = true;
      changed.wait(lock);
    });
    std::thread stuck([&] {
      while (!waits) sched_yield();
      const std::lock_guard lock(inner);
      holds = true;
      const std::lock_guard held(outer);
    });
    while (!holds) sched_yield();
    for (;;) {
      heddle::step();
      changed.notify_one();
    }
  });
  EXPECT_NE(result.message.find("T1 waits for m"), std::string::npos);
  EXPECT_NE(result.message.find("T2 waits for m"), std::string::npos);
  EXPECT_EQ(result.message.find("T0"), std::string::npos) << result.message;
}

TEST_P(Misuse, CyclesOfReadersAndWriters) {
  const Result writers = finds("deadlock", [] {
    pthread_rwlock_t a = PTHREAD_RWLOCK_INITIALIZER, b = PTHREAD_RWLOCK_INITIALIZER;
    int holding = 0;
    const auto take = [&](pthread_rwlock_t& first, pthread_rwlock_t& second) {
      pthread_rwlock_rdlock(&first);
      ++holding;
      while (holding < 2) sched_yield();
      pthread_rwlock_wrlock(&second);
    };
    std::thread one([&] { take(a, b); });
    std::thread two([&] { take(b, a); });
    for (;;) heddle::step();
  });
  EXPECT_TRUE(is_cycle_of_two(writers.message, "rw")) << writers.message;
  const Result upgrade = finds("deadlock", [] {
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
  });
  EXPECT_EQ(upgrade.message, "T0 waits for rw1 (which it holds itself)");
}

TEST_P(Misuse, ThreadsThatJoinEachOther) {
  const Result result = finds("deadlock", [] {
    static pthread_t body;
    body = pthread_self();
    std::thread other([] { pthread_join(body, nullptr); });
    other.join();
  });
  EXPECT_EQ(result.message, "T0 waits for the end of T1, T1 waits for the end of T0");
}

TEST_P(Misuse, ACancelledJoinMayBeDoneByAnother) {
  passes([] {
    static pthread_t worker;
    static sem_t go_on;
    sem_init(&go_on, 0, 0);
    const auto wait = [](void*) -> void* {
      sem_wait(&go_on);
      return nullptr;
    };
    const auto join = [](void*) -> void* {
      pthread_join(worker, nullptr);
      return nullptr;
    };
    pthread_create(&worker, nullptr, wait, nullptr);
    pthread_t joins;
    pthread_create(&joins, nullptr, join, nullptr);
    pthread_cancel(joins);
    pthread_join(joins, nullptr);
    sem_post(&go_on);
    pthread_join(worker, nullptr);
    sem_destroy(&go_on);
  });
}

}  // namespace
}  // namespace heddle::test
