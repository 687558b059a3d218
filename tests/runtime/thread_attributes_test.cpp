// What threads ask for when they are made, and what they are told about themselves.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <string>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(ThreadAttributes);

class Attributes {
 public:
  Attributes() { pthread_attr_init(&attributes_); }
  ~Attributes() { pthread_attr_destroy(&attributes_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  pthread_attr_t* get() { return &attributes_; }

 private:
  pthread_attr_t attributes_;
};

struct Told {
  char* stack = nullptr;
  std::size_t bytes = 0;
  std::size_t guard = 0;
};

Told told() {
  pthread_attr_t attributes;
  const int error = pthread_getattr_np(pthread_self(), &attributes);
  assert(error == 0);
  Told all;
  void* stack = nullptr;
  pthread_attr_getstack(&attributes, &stack, &all.bytes);
  pthread_attr_getguardsize(&attributes, &all.guard);
  pthread_attr_destroy(&attributes);
  all.stack = static_cast<char*>(stack);
  return all;
}

bool is_on(const Told& all, const char* address) { return address >= all.stack && address < all.stack + all.bytes; }

/// Runs it in a thread with these attributes, and waits for that.
void run(pthread_attr_t* attributes, std::function<void()> body) {
  pthread_t thread;
  const int error = pthread_create(
      &thread, attributes,
      [](void* function) -> void* {
        (*static_cast<std::function<void()>*>(function))();
        return nullptr;
      },
      &body);
  assert(error == 0);
  pthread_join(thread, nullptr);
}

TEST_P(ThreadAttributes, TellsTheGuardAndTheStackOfAThread) {
  passes([] {
    run(nullptr, [] {
      char here;
      const Told all = told();
      assert(all.guard == 4096);
      assert(is_on(all, &here));
    });
  });
}

TEST_P(ThreadAttributes, GivesTheStackThatWasAskedFor) {
  for (const std::size_t bytes : {std::size_t{16384} * 4, std::size_t{1} << 20, std::size_t{64} << 20}) {
    passes([bytes] {
      Attributes attributes;
      pthread_attr_setstacksize(attributes.get(), bytes);
      pthread_attr_setguardsize(attributes.get(), 8192);
      run(attributes.get(), [bytes] {
        volatile char here = 1;
        const Told all = told();
        assert(all.bytes == bytes && all.guard == 8192);
        assert(is_on(all, const_cast<const char*>(&here)));
        all.stack[100] = 1;  // its far end is memory
      });
    });
  }
}

TEST_P(ThreadAttributes, RunsOnMemoryOfTheProgram) {
  constexpr std::size_t kBytes = 256 * 1024;
  void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  passes([memory] {
    Attributes attributes;
    pthread_attr_setstack(attributes.get(), memory, kBytes);
    run(attributes.get(), [memory] {
      char here;
      const Told all = told();
      assert(all.stack == memory && all.bytes == kBytes && all.guard == 0);
      assert(is_on(all, &here));
      sched_yield();
    });
  });
  munmap(memory, kBytes);
}

// A thread that never gets to its end stands on that memory until the execution is over, and no longer.
TEST_P(ThreadAttributes, ForgetsMemoryOfTheProgramWithTheExecution) {
  constexpr std::size_t kBytes = 256 * 1024;
  for (int exploration = 0; exploration < 2; ++exploration) {
    void* const memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    finds("deadlock", [memory] {
      Attributes attributes;
      pthread_attr_setstack(attributes.get(), memory, kBytes);
      static sem_t never;
      sem_init(&never, 0, 0);
      run(attributes.get(), [] { sem_wait(&never); });
    });
    munmap(memory, kBytes);
  }
}

TEST_P(ThreadAttributes, EndsByExitOnMemoryOfTheProgram) {
  constexpr std::size_t kBytes = 256 * 1024;
  alignas(4096) static char memory[kBytes];
  passes([] {
    Attributes attributes;
    pthread_attr_setstack(attributes.get(), memory, kBytes);
    static int cleaned;
    cleaned = 0;
    pthread_t thread;
    pthread_create(
        &thread, attributes.get(),
        [](void* result) -> void* {
          pthread_cleanup_push([](void*) { ++cleaned; }, nullptr);
          pthread_exit(result);
          pthread_cleanup_pop(0);
          return nullptr;
        },
        &cleaned);
    void* result = nullptr;
    pthread_join(thread, &result);
    assert(result == &cleaned && cleaned == 1);
  });
}

TEST_P(ThreadAttributes, RefusesWhatCannotBeHad) {
  passes([] {
    Attributes attributes;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(CPU_SETSIZE - 1, &set);
    pthread_attr_setaffinity_np(attributes.get(), sizeof set, &set);
    pthread_t thread;
    const int error = pthread_create(
        &thread, attributes.get(), [](void*) -> void* { return nullptr; }, nullptr);
    assert(error == EINVAL);
  });
}

TEST_P(ThreadAttributes, FindsAnOverflowOfASmallStack) {
  const Result found = finds("stack-overflow", [] {
    Attributes attributes;
    pthread_attr_setstacksize(attributes.get(), 128 * 1024);
    // A sanitizer would mark the whole frame first, and so come to its far end before anything else.
    run(
        attributes.get(), []() __attribute__((no_sanitize("address"))) {
          volatile char large[512 * 1024];
          for (std::size_t i = sizeof large; i > 0; i -= 512) large[i - 1] = 1;
        });
  });
  EXPECT_EQ(found.message, "stack overflow: T1 needs more than 128 KiB");
}

TEST_P(ThreadAttributes, NamesBelongToAThreadAndAnExecution) {
  char before[16];
  prctl(PR_GET_NAME, before);
  passes([] {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(std::string(name) != "first");  // of the execution before
    pthread_setname_np(pthread_self(), "first");
    run(nullptr, [] {
      char mine[16];
      pthread_getname_np(pthread_self(), mine, sizeof mine);
      assert(std::string(mine) == "first");
      prctl(PR_SET_NAME, "a name that is too long");
      prctl(PR_GET_NAME, mine);
      assert(std::string(mine) == "a name that is ");
    });
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(std::string(name) == "first");
    assert(pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
    assert(pthread_getname_np(pthread_self(), name, 15) == ERANGE);
  });
  char after[16];
  prctl(PR_GET_NAME, after);
  EXPECT_STREQ(before, after);
}

TEST_P(ThreadAttributes, ProcessorsBelongToAThread) {
  passes([] {
    cpu_set_t all, one, found;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&one);
    for (int i = 0; CPU_COUNT(&one) == 0; ++i)
      if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    run(nullptr, [&] {
      assert(sched_setaffinity(0, sizeof one, &one) == 0);
      assert(pthread_getaffinity_np(pthread_self(), sizeof found, &found) == 0 && CPU_EQUAL(&one, &found));
      run(nullptr, [&] {
        assert(sched_getaffinity(gettid(), sizeof found, &found) == 0 && CPU_EQUAL(&one, &found));  // inherited
      });
    });
    assert(sched_getaffinity(0, sizeof found, &found) == 0 && CPU_EQUAL(&all, &found));
  });
}

TEST_P(ThreadAttributes, ACeilingKeepsOrdinaryThreadsOut) {
  passes([] {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attributes, 3);
    pthread_mutex_t lock;
    pthread_mutex_init(&lock, &attributes);
    assert(pthread_mutex_lock(&lock) == EINVAL);
    int old = 0;
    assert(pthread_mutex_setprioceiling(&lock, 9, &old) == 0 && old == 3);
    assert(pthread_mutex_getprioceiling(&lock, &old) == 0 && old == 9);
    pthread_mutex_destroy(&lock);
  });
}

TEST_P(ThreadAttributes, ClocksOfThreadsAreVirtual) {
  passes([] {
    clockid_t clock;
    assert(pthread_getcpuclockid(pthread_self(), &clock) == 0);
    timespec first, second;
    assert(clock_gettime(clock, &first) == 0 && clock_gettime(clock, &second) == 0);
    assert(second.tv_nsec - first.tv_nsec == 1000);  // what reading a clock takes
  });
}

TEST_P(ThreadAttributes, TheUserCanBeSetToWhatItIs) {
  passes([] {
    run(nullptr, [] {
      assert(setuid(getuid()) == 0 && setgid(getgid()) == 0);
      assert(setresuid(-1, geteuid(), -1) == 0);
    });
  });
}

}  // namespace
}  // namespace heddle::test
