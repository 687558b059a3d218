// What differs from run to run elsewhere is the same in every execution.
#include <sched.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <random>
#include <string>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(Sameness);

/// All values that `body` makes in one execution, of all executions.
template <typename Make>
Seen<std::string> texts(const std::function<void(const Body&)>& explore, const Make& make) {
  Seen<std::string> seen;
  explore([&] { seen.insert(make()); });
  return seen;
}

TEST_P(Sameness, RandomBytes) {
  const auto explore = [this](const Body& body) { passes(body); };
  const auto same_but_not_repeated = [&](auto make) {
    EXPECT_EQ(texts(explore,
                    [&] {
                      const std::string first = make();
                      assert(first != make());
                      return first;
                    })
                  .size(),
              1u);
  };
  const auto text = [](unsigned long value) { return std::to_string(value); };
  same_but_not_repeated([&] {
    unsigned long value = 0;
    assert(getrandom(&value, sizeof value, 0) == sizeof value);
    return text(value);
  });
  same_but_not_repeated([&] {
    unsigned long value = 0;
    assert(getentropy(&value, sizeof value) == 0);
    return text(value);
  });
  same_but_not_repeated([&] {
    unsigned long value = 0;
    assert(syscall(SYS_getrandom, &value, sizeof value, 0) == sizeof value);
    return text(value);
  });
  same_but_not_repeated([&] { return text(arc4random()); });
  same_but_not_repeated([&] { return text(std::random_device()()); });
  same_but_not_repeated([&] { return text(std::random_device("default")()); });
}

TEST_P(Sameness, GeneratorsOfLibcBeginAgain) {
  const auto explore = [this](const Body& body) { passes(body); };
  srand(1);  // as a program starts
  const auto both = [](long first, long second) { return std::to_string(first) + " " + std::to_string(second); };
  EXPECT_EQ(texts(explore,
                  [&] {
                    const int first = rand();
                    return both(first, random());
                  }),
            (Seen<std::string>{"1804289383 846930886"}));
  EXPECT_EQ(texts(explore,
                  [] {
                    srand(7);
                    return std::to_string(rand());
                  })
                .size(),
            1u);
  EXPECT_EQ(texts(explore, [] { return std::to_string(lrand48()) + std::to_string(drand48()); }).size(), 1u);
}

TEST_P(Sameness, NumbersOfProcessAndThreads) {
  const pid_t outside = getpid();
  Seen<std::string> seen;
  passes([&] {
    assert(getpid() == outside && syscall(SYS_getpid) == outside);
    assert(gettid() == getpid() && syscall(SYS_gettid) == gettid());
    pid_t one = 0;
    pid_t two = 0;
    std::thread first([&] { one = gettid(); });
    std::thread second([&] { two = gettid(); });
    first.join();
    second.join();
    assert(one != two && one != getpid() && two != getpid());
    seen.insert(std::to_string(one) + " " + std::to_string(two) + " " + std::to_string(getppid()));
  });
  EXPECT_EQ(seen.size(), 1u);
}

TEST_P(Sameness, ProcessorTime) {
  Seen<std::string> seen;
  passes([&] {
    rusage usage;
    assert(getrusage(RUSAGE_SELF, &usage) == 0);
    tms used;
    const clock_t ticks = times(&used);
    timespec process;
    assert(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &process) == 0);
    seen.insert(std::to_string(clock()) + " " + std::to_string(usage.ru_utime.tv_usec) + " " + std::to_string(ticks) +
                " " + std::to_string(process.tv_nsec) + " " + std::to_string(sched_getcpu()));
  });
  EXPECT_EQ(seen.size(), 1u);
}

TEST_P(Sameness, IsOverOutside) {
  passes([] { std::random_device()(); });
  Seen<unsigned> seen;
  for (int i = 0; i < 4; ++i) seen.insert(std::random_device()());
  EXPECT_GT(seen.size(), 1u);  // all equal: once in 2^96
}

}  // namespace
}  // namespace heddle::test
