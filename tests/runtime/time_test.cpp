// Time in an execution is virtual: it begins at a fixed date, and an hour of sleep costs nothing.
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;
using Date = std::chrono::system_clock;

HEDDLE_ON_BOTH(Time);

TEST_P(Time, BeginsAtTheSameMomentEachTime) {
  Seen<Steady::time_point> steady;
  Seen<Date::time_point> date;
  passes([&] {
    steady.insert(Steady::now());
    date.insert(Date::now());
  });
  EXPECT_EQ(steady.size(), 1u);
  EXPECT_EQ(date.size(), 1u);
  const std::time_t seconds = Date::to_time_t(*date.begin());
  EXPECT_EQ(seconds, 1'735'689'600);  // 2025-01-01T00:00:00Z
}

TEST_P(Time, PassesWhenItIsReadAndNeverGoesBack) {
  passes([] {
    Steady::time_point last = Steady::now();
    std::mutex mutex;
    const auto read = [&] {
      for (int i = 0; i < 3; ++i) {
        const std::lock_guard guard(mutex);
        const Steady::time_point now = Steady::now();
        assert(now > last);
        last = now;
      }
    };
    std::thread other(read);
    read();
    other.join();
  });
}

TEST_P(Time, AllClocksOfADateAgree) {
  passes([] {
    timeval of_day;
    gettimeofday(&of_day, nullptr);
    timespec real;
    clock_gettime(CLOCK_REALTIME, &real);
    timespec coarse;
    clock_gettime(CLOCK_REALTIME_COARSE, &coarse);
    const time_t seconds = time(nullptr);
    assert(of_day.tv_sec == real.tv_sec && real.tv_sec == coarse.tv_sec && coarse.tv_sec == seconds);
    timespec monotonic;
    clock_gettime(CLOCK_MONOTONIC, &monotonic);
    assert(Steady::now().time_since_epoch() - std::chrono::seconds(monotonic.tv_sec) < 1s);
    timespec used;
    assert(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) == 0);  // the host's business
  });
}

TEST_P(Time, SleepsLastAsLongAsTheyShouldAndCostNothing) {
  const auto real_start = Steady::now();
  passes([] {
    const auto lasts = [](std::chrono::nanoseconds least, const auto& sleep) {
      const auto start = Steady::now();
      const auto start_date = Date::now();
      sleep();
      assert(Steady::now() - start >= least && Steady::now() - start < least + 1s);
      assert(Date::now() - start_date >= least);
    };
    lasts(1h, [] { std::this_thread::sleep_for(1h); });
    lasts(2h, [] { std::this_thread::sleep_until(Steady::now() + 2h); });
    lasts(3h, [] { std::this_thread::sleep_until(Date::now() + 3h); });
    lasts(100s, [] { sleep(100); });
    lasts(500ms, [] { usleep(500'000); });
    lasts(7s, [] {
      const timespec seven = {7, 0};
      assert(nanosleep(&seven, nullptr) == 0);
    });
    lasts(8s, [] {
      const timespec eight = {8, 0};
      assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &eight, nullptr) == 0);
    });
    lasts(9s, [] {
      timespec until;
      clock_gettime(CLOCK_REALTIME, &until);
      until.tv_sec += 9;
      assert(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, nullptr) == 0);
    });
    std::this_thread::sleep_for(-1s);
    std::this_thread::sleep_until(Date::time_point{});
  });
  EXPECT_LT(Steady::now() - real_start, 30s);  // hours of sleep in each of the executions
}

TEST_P(Time, InvalidTimesAreRefused) {
  passes([] {
    const timespec wrong = {0, 1'000'000'000};
    errno = 0;
    assert(nanosleep(&wrong, nullptr) == -1 && errno == EINVAL);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, nullptr) == EINVAL);
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_timedwait(&condition, &mutex, &wrong) == EINVAL);
    pthread_mutex_unlock(&mutex);
  });
}

/// The order in which sleepers of one, two and three seconds wake.
Seen<std::string> orders_of_waking(const std::function<void(const Body&)>& explore) {
  Seen<std::string> orders;
  explore([&] {
    std::mutex mutex;
    std::string order;
    const auto wake_after = [&](int seconds) {
      std::this_thread::sleep_for(std::chrono::seconds(seconds));
      const std::lock_guard guard(mutex);
      order += static_cast<char>('0' + seconds);
    };
    std::thread three(wake_after, 3);
    std::thread one(wake_after, 1);
    std::thread two(wake_after, 2);
    three.join();
    one.join();
    two.join();
    orders.insert(order);
  });
  return orders;
}

TEST_P(Time, AnyoneMayWakeFirstWhenTimeIsAChoice) {
  EXPECT_EQ(orders_of_waking([this](const Body& body) { passes(body); }),
            (Seen<std::string>{"123", "132", "213", "231", "312", "321"}));
}

TEST_P(Time, SleepersWakeInTheirOrderWhenTimeIsPatient) {
  const auto patient = [](Options& options) { options.time_policy = TimePolicy::patient; };
  EXPECT_EQ(orders_of_waking([&](const Body& body) { passes(body, patient); }), (Seen<std::string>{"123"}));
}

TEST_P(Time, YieldLetsOthersGoOn) {
  passes([] {
    bool done = false;
    std::thread other([&] {
      std::this_thread::yield();
      done = true;
    });
    while (!done) std::this_thread::yield();
    other.join();
  });
}

TEST_P(Time, ALoopThatWaitsForADateEnds) {
  passes([] {
    const auto until = Steady::now() + 50us;
    int turns = 0;
    while (Steady::now() < until) ++turns;
    assert(turns > 0 && turns <= 50);
  });
}

TEST_P(Time, IsRealAgainOutside) {
  passes([] { std::this_thread::sleep_for(1h); });
  const auto start = Steady::now();
  std::this_thread::sleep_for(2ms);
  const auto passed = Steady::now() - start;
  EXPECT_GE(passed, 2ms);
  EXPECT_LT(passed, 10min);
  EXPECT_GT(Date::to_time_t(Date::now()), 1'735'689'600 + 3600);
}

}  // namespace
}  // namespace heddle::test
