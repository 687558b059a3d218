// timerfd: timers that are descriptors, on virtual time.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

HEDDLE_ON_BOTH(IoTimer);

const auto kPatient = [](Options& options) { options.time_policy = TimePolicy::patient; };

int timer_of(long first_seconds, long then_seconds = 0) {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const itimerspec setting{{then_seconds, 0}, {first_seconds, 0}};
  assert(timer >= 0 && timerfd_settime(timer, 0, &setting, nullptr) == 0);
  return timer;
}

std::uint64_t expirations(int timer) {
  std::uint64_t times = 0;
  assert(read(timer, &times, sizeof times) == sizeof times);
  return times;
}

TEST_P(IoTimer, ReadingWaitsInVirtualTime) {
  passes([] {
    const auto start = Steady::now();
    const int timer = timer_of(3600);
    assert(expirations(timer) == 1);
    assert(Steady::now() - start >= 1h && Steady::now() - start < 1h + 1s);
    close(timer);
  });
}

TEST_P(IoTimer, AbsoluteTimesAndThePast) {
  passes([] {
    const int timer = timerfd_create(CLOCK_REALTIME, TFD_NONBLOCK);
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    itimerspec setting{{0, 0}, {now.tv_sec - 5, 0}};
    assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, nullptr) == 0);
    assert(expirations(timer) == 1);
    setting.it_value.tv_sec = now.tv_sec + 10;
    assert(timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, nullptr) == 0);
    std::uint64_t times;
    errno = 0;
    assert(read(timer, &times, sizeof times) == -1 && errno == EAGAIN);
    sleep(11);
    assert(expirations(timer) == 1);
    close(timer);
  });
}

TEST_P(IoTimer, APeriodicTimerCountsWhatWasMissed) {
  passes([] {
    const int timer = timer_of(10, 1);
    usleep(13'500'000);  // at 10, 11, 12 and 13 seconds
    itimerspec left;
    assert(timerfd_gettime(timer, &left) == 0);
    assert(left.it_interval.tv_sec == 1 && left.it_value.tv_sec == 0 && left.it_value.tv_nsec > 0);
    assert(expirations(timer) == 4);
    assert(expirations(timer) == 1);
    close(timer);
  });
}

TEST_P(IoTimer, SettingItAgainForgetsWhatHappened) {
  passes([] {
    const int timer = timer_of(1);
    sleep(2);
    const itimerspec off{};
    itimerspec old;
    assert(timerfd_settime(timer, 0, &off, &old) == 0);
    assert(old.it_value.tv_sec == 0 && old.it_value.tv_nsec == 0);
    pollfd wanted{timer, POLLIN, 0};
    assert(poll(&wanted, 1, 0) == 0);
    const itimerspec wrong{{0, 0}, {0, 1'000'000'000}};
    errno = 0;
    assert(timerfd_settime(timer, 0, &wrong, nullptr) == -1 && errno == EINVAL);
    errno = 0;
    assert(timerfd_create(CLOCK_PROCESS_CPUTIME_ID, 0) == -1 && errno == EINVAL);
    close(timer);
  });
}

/// Which of two timers, of one and of two seconds, is seen first.
template <typename Wait>
void see_first(const Wait& wait, Seen<std::string>& seen) {
  const int one = timer_of(1), two = timer_of(2);
  seen.insert(wait(one, two));
  close(one);
  close(two);
}

std::string by_poll(int one, int two) {
  pollfd wanted[2] = {{one, POLLIN, 0}, {two, POLLIN, 0}};
  assert(poll(wanted, 2, 60'000) > 0);
  return std::string(wanted[0].revents ? "1" : "") + (wanted[1].revents ? "2" : "");
}

std::string by_epoll(int one, int two) {
  const int epoll = epoll_create1(0);
  epoll_event first{EPOLLIN, {.u32 = 1}}, second{EPOLLIN, {.u32 = 2}}, got[2];
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, one, &first) == 0 && epoll_ctl(epoll, EPOLL_CTL_ADD, two, &second) == 0);
  const int count = epoll_wait(epoll, got, 2, 60'000);
  assert(count > 0);
  std::string text;
  for (int i = 0; i < count; ++i) text += std::to_string(got[i].data.u32);
  close(epoll);
  return text;
}

TEST_P(IoTimer, TheFirstTimerEndsAPoll) {
  for (const auto wait : {by_poll, by_epoll}) {
    Seen<std::string> seen;
    passes([&] { see_first(wait, seen); });
    passes([&] { see_first(wait, seen); }, kPatient);
    EXPECT_EQ(seen, (Seen<std::string>{"1"}));
  }
}

TEST_P(IoTimer, ADeadlineBeforeTheTimerEndsAPollWithNothing) {
  passes([] {
    const int timer = timer_of(10);
    pollfd wanted{timer, POLLIN, 0};
    const auto start = Steady::now();
    assert(poll(&wanted, 1, 5'000) == 0);
    assert(Steady::now() - start >= 5s && Steady::now() - start < 6s);
    close(timer);
  });
}

TEST_P(IoTimer, WhoWaitsIsWokenByATimerThatAnotherSets) {
  passes([] {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    std::thread setter([&] {
      const itimerspec setting{{0, 0}, {1, 0}};
      assert(timerfd_settime(timer, 0, &setting, nullptr) == 0);
    });
    assert(expirations(timer) == 1);
    setter.join();
    close(timer);
  });
}

// Where time is a choice the timer may end before the other thread is through; where it is patient it may not.
TEST_P(IoTimer, ItsEndIsAChoice) {
  for (const bool patient : {false, true}) {
    Seen<bool> seen;
    passes(
        [&] {
          bool done = false;
          const int timer = timer_of(1);
          std::thread other([&] {
            heddle::step();
            done = true;
          });
          expirations(timer);
          seen.insert(done);
          other.join();
          close(timer);
        },
        [&](Options& options) { options.time_policy = patient ? TimePolicy::patient : TimePolicy::choice; });
    EXPECT_EQ(seen, patient ? (Seen<bool>{true}) : (Seen<bool>{false, true}));
  }
}

TEST_P(IoTimer, ATimerThatIsNotSetNeverEnds) {
  finds("deadlock", [] {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    expirations(timer);
  });
}

}  // namespace
}  // namespace heddle::test
