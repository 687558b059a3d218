// What belongs to a thread: thread_local objects, errno, keys, its identity. Fresh in each thread of each execution.
#include <pthread.h>

#include <cerrno>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(ThreadLocal);

thread_local int counter = 0;
thread_local int initialised = 41;
thread_local char block[5000];

void use_thread_locals() {
  assert(counter == 0 && initialised == 41);
  assert(block[0] == 0 && block[4999] == 0);
  ++counter;
  ++initialised;
  block[0] = block[4999] = 1;
  heddle::step();
  assert(counter == 1 && initialised == 42 && block[4999] == 1);
}

TEST_P(ThreadLocal, VariablesAreFreshInEveryThreadOfEveryExecution) {
  counter = 100;
  Options many = options("random");
  many.executions = 10'000;
  const Result result = try_explore(
      [] {
        std::thread one(use_thread_locals);
        std::thread two(use_thread_locals);
        use_thread_locals();
        one.join();
        two.join();
      },
      many);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(counter, 100);  // of the thread that explores
}

TEST_P(ThreadLocal, VariablesAreFreshAfterAnExecutionThatWasLeftInTheMiddle) {
  for (int i = 0; i < 20; ++i) {
    finds("failed", [] {
      std::thread one([] {
        use_thread_locals();
        heddle::step();
      });
      use_thread_locals();
      heddle::step();
      heddle::fail("in the middle");
    });
  }
}

/// Counts those that live, by the thread that made them.
struct Object {
  static inline int made, destroyed;
  std::thread::id made_in = std::this_thread::get_id();
  std::string text = "allocates, because it is longer than what fits into a string";
  Object() { ++made; }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() {
    assert(made_in == std::this_thread::get_id());
    assert(text.size() > 50);
    ++destroyed;
  }
};

thread_local Object global_object;

Object& local_object() {
  thread_local Object object;
  return object;
}

TEST_P(ThreadLocal, ObjectsAreMadeAndDestroyedInTheirThread) {
  Object::made = Object::destroyed = 0;
  passes([] {
    const int made_before = Object::made;
    const int destroyed_before = Object::destroyed;
    assert(made_before == destroyed_before);  // those of the last execution are gone
    const auto use_both = [] {
      assert(&global_object != &local_object());
      heddle::step();
      assert(local_object().made_in == std::this_thread::get_id());
    };
    std::thread one(use_both);
    std::thread two([] { local_object(); });
    std::thread none([] { heddle::step(); });
    one.join();
    two.join();
    none.join();
    assert(Object::made == made_before + 3 && Object::destroyed == destroyed_before + 3);
    use_both();  // in the body itself: destroyed when it has returned
    assert(Object::destroyed == destroyed_before + 3);
  });
  EXPECT_EQ(Object::made, Object::destroyed);
}

TEST_P(ThreadLocal, DestructorsRunInReverseOrderAndMayMakeMore) {
  static std::string order;
  struct Later {
    ~Later() { order += 'l'; }
  };
  struct First {
    ~First() {
      order += 'f';
      thread_local Later later;
    }
  };
  struct Second {
    ~Second() { order += 's'; }
  };
  passes([] {
    order.clear();
    std::thread thread([] {
      thread_local First first;
      thread_local Second second;
    });
    thread.join();
    assert(order == "sfl");
  });
}

TEST_P(ThreadLocal, DestructorsAreUnderControl) {
  static std::mutex registry;
  static int registered;
  struct Entry {
    ~Entry() {
      const std::lock_guard guard(registry);
      const int before = registered;
      heddle::step();
      registered = before - 1;
    }
  };
  passes([] {
    registered = 2;
    const auto enter = [] { thread_local Entry entry; };
    std::thread one(enter);
    std::thread two(enter);
    one.join();
    two.join();
    assert(registered == 0);
  });
}

TEST_P(ThreadLocal, ErrnoBelongsToItsThread) {
  errno = ERANGE;  // of the thread that explores
  passes([] {
    assert(errno == 0);
    const auto keep = [](int value) {
      assert(errno == 0);
      errno = value;
      for (int i = 0; i < 3; ++i) {
        heddle::step();
        assert(errno == value);
      }
    };
    std::thread one(keep, EINTR);
    std::thread two(keep, EPERM);
    keep(EIO);
    one.join();
    two.join();
  });
}

TEST_P(ThreadLocal, PthreadSelfIsStableAndDistinct) {
  passes([] {
    pthread_t seen[3];
    const auto note = [&](int which) {
      const pthread_t self = pthread_self();
      seen[which] = self;
      heddle::step();
      assert(pthread_equal(pthread_self(), self));
    };
    std::thread one(note, 0);
    std::thread two(note, 1);
    note(2);
    assert(pthread_equal(one.native_handle(), one.native_handle()));
    const pthread_t first = one.native_handle();
    const pthread_t second = two.native_handle();
    one.join();
    two.join();
    assert(seen[0] == first && seen[1] == second);
    assert(seen[0] != seen[1] && seen[0] != seen[2] && seen[1] != seen[2]);
  });
}

TEST_P(ThreadLocal, ExceptionsInFlightEndWithTheExecution) {
  for (int i = 0; i < 5; ++i) {
    finds("failed", [] {
      assert(std::uncaught_exceptions() == 0 && std::current_exception() == nullptr);
      try {
        throw std::runtime_error("held");
      } catch (...) {
        heddle::fail("inside a handler");
      }
    });
  }
  EXPECT_EQ(std::current_exception(), nullptr);
}

// --- keys ----------------------------------------------------------------------------------------------------------

TEST_P(ThreadLocal, KeysHoldAValueAThread) {
  passes([] {
    pthread_key_t key;
    assert(pthread_key_create(&key, nullptr) == 0);
    int values[3];
    const auto keep = [&](int which) {
      assert(pthread_getspecific(key) == nullptr);
      pthread_setspecific(key, &values[which]);
      heddle::step();
      assert(pthread_getspecific(key) == &values[which]);
    };
    std::thread one(keep, 0);
    std::thread two(keep, 1);
    keep(2);
    one.join();
    two.join();
    assert(pthread_getspecific(key) == &values[2]);
    assert(pthread_key_delete(key) == 0);
  });
}

pthread_key_t outside_key;
int outside_destroyed;

TEST_P(ThreadLocal, KeysMadeOutsideAreFreshInEveryThread) {
  ASSERT_EQ(pthread_key_create(&outside_key, [](void*) { ++outside_destroyed; }), 0);
  int mine = 0;
  pthread_setspecific(outside_key, &mine);
  passes([] {
    outside_destroyed = 0;
    const auto set = [] {
      assert(pthread_getspecific(outside_key) == nullptr);
      pthread_setspecific(outside_key, &outside_key);
    };
    std::thread one(set);
    std::thread two(set);
    one.join();
    two.join();
    assert(outside_destroyed == 2);
    set();
  });
  EXPECT_EQ(pthread_getspecific(outside_key), &mine);
  pthread_key_delete(outside_key);
}

TEST_P(ThreadLocal, ManyKeysBeyondTheFirstBlockOfLibc) {
  passes(
      [] {
        std::vector<pthread_key_t> keys(100);
        for (pthread_key_t& key : keys) assert(pthread_key_create(&key, nullptr) == 0);
        std::thread other([&] {
          for (pthread_key_t& key : keys) {
            assert(pthread_getspecific(key) == nullptr);
            pthread_setspecific(key, &key);
          }
          heddle::step();
          for (pthread_key_t& key : keys) assert(pthread_getspecific(key) == &key);
        });
        other.join();
        for (const pthread_key_t key : keys) pthread_key_delete(key);
      },
      [](Options& options) { options.executions = 50; });
}

TEST_P(ThreadLocal, KeysThatAnExecutionLeavesBehindDoNotPileUp) {
  Options many = options("random");
  many.executions = 3 * PTHREAD_KEYS_MAX;
  const Result result = try_explore(
      [] {
        pthread_key_t key;
        const int error = pthread_key_create(&key, nullptr);
        assert(error == 0);
        int value = 0;
        pthread_setspecific(key, &value);
      },
      many);
  EXPECT_FALSE(result.bug_found) << result.report;
}

pthread_key_t remembered_key;
int remembered_destroyed;

TEST_P(ThreadLocal, AKeyThatIsMadeOnceAndRememberedStays) {
  remembered_key = 0;
  bool is_made = false;
  Options many = options("random");
  many.executions = 3 * PTHREAD_KEYS_MAX;
  const Result result = try_explore(
      [&] {
        if (!is_made) {
          is_made = true;
          pthread_key_create(&remembered_key, [](void*) { ++remembered_destroyed; });
        }
        pthread_key_t leaked;
        pthread_key_create(&leaked, nullptr);
        remembered_destroyed = 0;
        std::thread thread([] { pthread_setspecific(remembered_key, &remembered_key); });
        thread.join();
        assert(remembered_destroyed == 1);
      },
      many);
  EXPECT_FALSE(result.bug_found) << result.report;
  EXPECT_EQ(pthread_key_delete(remembered_key), 0);
}

}  // namespace
}  // namespace heddle::test
