// alarm, setitimer and timer_create: they expire in virtual time, as sleeps do.
#include <semaphore.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(Timers);

volatile int calls;

void handle(int signal) {
  struct sigaction action {};
  action.sa_handler = [](int) { calls = calls + 1; };
  sigaction(signal, &action, nullptr);
  calls = 0;
}

void patient(Options& options) { options.time_policy = TimePolicy::patient; }

TEST_P(Timers, AnAlarmEndsASleep) {
  passes(
      [] {
        handle(SIGALRM);
        assert(alarm(10) == 0);
        const unsigned left = sleep(100);
        assert(calls == 1 && left > 80 && left <= 90);
        assert(alarm(0) == 0);
      },
      patient);
}

TEST_P(Timers, AnAlarmComesAtAnyTime) {
  Seen<int> before_the_end;
  passes([&] {
    handle(SIGALRM);
    alarm(10);
    for (int i = 0; i < 5; ++i) heddle::step();
    before_the_end.insert(int{calls});
  });
  EXPECT_EQ(before_the_end, (Seen<int>{0, 1}));  // and the execution ends without it
}

TEST_P(Timers, AnAlarmThatIsCancelledDoesNotCome) {
  passes([] {
    handle(SIGALRM);
    alarm(10);
    const unsigned left = alarm(0);
    assert((left > 0 && left <= 10 && calls == 0) || calls == 1);
    const int before = calls;
    sleep(100);
    assert(calls == before);
  });
}

TEST_P(Timers, AWatchdogDoesNotBark) {
  passes([] {
    alarm(60);  // nobody handles it
    std::mutex mutex;
    std::thread other([&] { const std::lock_guard lock(mutex); });
    other.join();
  });
  finds("signal", [] {
    alarm(60);
    for (int i = 0; i < 10; ++i) sleep(100);
  });
  finds("deadlock", [] {
    alarm(60);
    sem_t never;
    sem_init(&never, 0, 0);
    sem_wait(&never);
  });
}

TEST_P(Timers, AnIntervalComesAgainAndAgain) {
  passes(
      [] {
        handle(SIGALRM);
        const itimerval every_second = {{1, 0}, {1, 0}};
        assert(setitimer(ITIMER_REAL, &every_second, nullptr) == 0);
        itimerval now;
        assert(getitimer(ITIMER_REAL, &now) == 0 && now.it_interval.tv_sec == 1);
        while (calls < 5) pause();
        const itimerval never = {};
        assert(setitimer(ITIMER_REAL, &never, nullptr) == 0);
        const int before = calls;
        sleep(100);
        assert(calls == before);
      },
      patient);
}

TEST_P(Timers, ATimerSendsItsSignalWithItsValue) {
  passes(
      [] {
        static int value;
        value = 0;
        struct sigaction action {};
        action.sa_sigaction = [](int, siginfo_t* info, void*) { value = info->si_value.sival_int; };
        action.sa_flags = SA_SIGINFO;
        sigaction(SIGRTMIN, &action, nullptr);
        sigevent what{};
        what.sigev_notify = SIGEV_SIGNAL;
        what.sigev_signo = SIGRTMIN;
        what.sigev_value.sival_int = 7;
        timer_t timer;
        assert(timer_create(CLOCK_MONOTONIC, &what, &timer) == 0);
        const itimerspec soon = {{0, 0}, {5, 0}};
        assert(timer_settime(timer, 0, &soon, nullptr) == 0);
        itimerspec now;
        assert(timer_gettime(timer, &now) == 0 && now.it_value.tv_sec <= 5);
        while (value == 0) pause();
        assert(value == 7);
        assert(timer_getoverrun(timer) == 0);
        assert(timer_delete(timer) == 0);
        assert(timer_delete(timer) == -1 && errno == EINVAL);
      },
      patient);
}

TEST_P(Timers, ATimerStartsItsThread) {
  Seen<bool> ran;
  passes([&] {
    static std::mutex mutex;
    static int notified;
    notified = 0;
    sigevent what{};
    what.sigev_notify = SIGEV_THREAD;
    what.sigev_notify_function = [](sigval value) {
      const std::lock_guard lock(mutex);
      notified += value.sival_int;
    };
    what.sigev_value.sival_int = 3;
    timer_t timer;
    assert(timer_create(CLOCK_REALTIME, &what, &timer) == 0);
    const itimerspec soon = {{0, 0}, {1, 0}};
    timer_settime(timer, 0, &soon, nullptr);
    sleep(10);
    const std::lock_guard lock(mutex);
    assert(notified == 0 || notified == 3);
    ran.insert(notified == 3);
  });
  EXPECT_EQ(ran, (Seen<bool>{false, true}));
}

TEST_P(Timers, ATimerThatTellsNobodyCanBeAsked) {
  passes(
      [] {
        sigevent what{};
        what.sigev_notify = SIGEV_NONE;
        timer_t timer;
        assert(timer_create(CLOCK_MONOTONIC, &what, &timer) == 0);
        const itimerspec soon = {{0, 0}, {5, 0}};
        timer_settime(timer, 0, &soon, nullptr);
        sleep(10);
        itimerspec now;
        assert(timer_gettime(timer, &now) == 0 && now.it_value.tv_sec == 0);
        const itimerspec wrong = {{0, 0}, {0, 1'000'000'000}};
        assert(timer_settime(timer, 0, &wrong, nullptr) == -1 && errno == EINVAL);
        timer_delete(timer);
      },
      patient);
}

}  // namespace
}  // namespace heddle::test
