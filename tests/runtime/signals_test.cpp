// Signals that a program sends to itself: who handles them, when, and what becomes of the waits that they interrupt.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(Signals);

int calls;          // of the handler, in this execution
pthread_t handled;  // by whom, last
siginfo_t last;

void count(int, siginfo_t* info, void*) {
  ++calls;
  handled = pthread_self();
  last = *info;
}

void handle(int signal, void (*handler)(int, siginfo_t*, void*) = count, int flags = 0) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  assert(sigaction(signal, &action, nullptr) == 0);
  calls = 0;
}

sigset_t set_of(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

void block(int signal, int how = SIG_BLOCK) {
  const sigset_t set = set_of(signal);
  assert(pthread_sigmask(how, &set, nullptr) == 0);
}

TEST_P(Signals, ToItselfAreHandledBeforeTheCallReturns) {
  passes([] {
    handle(SIGUSR1);
    errno = 5;
    assert(raise(SIGUSR1) == 0 && calls == 1 && errno == 5);
    assert(last.si_signo == SIGUSR1 && last.si_code == SI_TKILL && last.si_pid == getpid());
    assert(kill(getpid(), SIGUSR1) == 0 && calls == 2 && last.si_code == SI_USER);
    assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && calls == 3);
    assert(syscall(SYS_tgkill, getpid(), gettid(), SIGUSR1) == 0 && calls == 4);
    assert(tgkill(getpid(), gettid(), SIGUSR1) == 0 && calls == 5);
    sigval value;
    value.sival_int = 42;
    assert(sigqueue(getpid(), SIGUSR1, value) == 0 && calls == 6);
    assert(last.si_value.sival_int == 42 && last.si_code == SI_QUEUE);
    assert(kill(getpid(), 0) == 0 && calls == 6);
    assert(raise(200) == -1 && errno == EINVAL);
    struct sigaction old {};
    assert(sigaction(SIGUSR1, nullptr, &old) == 0 && old.sa_sigaction == count);
    assert(sigaction(SIGKILL, &old, nullptr) == -1 && errno == EINVAL);
  });
}

TEST_P(Signals, OfTheProcessAreHandledByAnyoneWhoDoesNotBlockThem) {
  Seen<int> who;
  passes([&] {
    handle(SIGUSR1);
    sem_t done;
    sem_init(&done, 0, 0);
    std::thread one([&] { sem_wait(&done); });
    std::thread two([&] {
      block(SIGUSR1);
      sem_wait(&done);
    });
    heddle::step();
    kill(getpid(), SIGUSR1);
    const pthread_t one_is = one.native_handle();
    sem_post(&done);
    sem_post(&done);
    one.join();
    two.join();
    assert(calls == 1);
    who.insert(pthread_equal(handled, pthread_self()) ? 0 : pthread_equal(handled, one_is) ? 1 : 2);
  });
  EXPECT_EQ(who, (Seen<int>{0, 1, 2}));  // 2: sent before it had blocked it
}

TEST_P(Signals, ThatEverybodyBlocksWait) {
  passes([] {
    handle(SIGUSR1);
    block(SIGUSR1);
    std::thread other([] { kill(getpid(), SIGUSR1); });  // inherits what its creator blocks
    other.join();
    sigset_t pending;
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
    kill(getpid(), SIGUSR1);  // there is one already
    assert(calls == 0);
    block(SIGUSR1, SIG_UNBLOCK);
    assert(calls == 1);
    assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 0);
  });
}

TEST_P(Signals, OfRealTimeAreQueued) {
  passes([] {
    handle(SIGRTMIN);
    block(SIGRTMIN);
    sigval value{};
    for (value.sival_int = 1; value.sival_int <= 3; ++value.sival_int) sigqueue(getpid(), SIGRTMIN, value);
    block(SIGRTMIN, SIG_UNBLOCK);
    assert(calls == 3 && last.si_value.sival_int == 3);
  });
}

TEST_P(Signals, AreBlockedInTheirHandler) {
  passes([] {
    handle(SIGUSR1, [](int signal, siginfo_t*, void*) {
      if (++calls == 1) {
        raise(signal);
        assert(calls == 1);
      }
    });
    raise(SIGUSR1);
    assert(calls == 2);
    handle(
        SIGUSR2,
        [](int signal, siginfo_t*, void*) {
          if (++calls == 1) {
            raise(signal);
            assert(calls == 2);
          }
        },
        SA_NODEFER);
    raise(SIGUSR2);
    assert(calls == 2);
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, nullptr, &now);
    assert(sigismember(&now, SIGUSR1) == 0);
  });
}

TEST_P(Signals, WithoutAHandlerEndTheProgramOrDoNothing) {
  const Result ended = finds("signal", [] { kill(getpid(), SIGTERM); });
  EXPECT_EQ(ended.message, "SIGTERM was sent, and the program does not handle it");
  finds("aborted", [] { raise(SIGABRT); });
  passes([] {
    raise(SIGCHLD);
    signal(SIGTERM, SIG_IGN);
    raise(SIGTERM);
    signal(SIGTERM, [](int) { ++calls; });
    calls = 0;
    raise(SIGTERM);
    assert(calls == 1 && signal(SIGTERM, SIG_DFL) != SIG_DFL);
  });
}

TEST_P(Signals, HandlersEndWithTheExecution) {
  finds("signal", [] {
    static bool first = true;  // the run before the exploration installs a handler; no other has it
    if (std::exchange(first, false)) handle(SIGUSR2);
    raise(SIGUSR2);
  });
}

TEST_P(Signals, InterruptTheWaitsThatPosixNames) {
  Seen<int> sleeps, waits;
  passes([&] {
    handle(SIGUSR1);
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    std::thread sleeper([&] {
      errno = 0;
      sleeps.insert(usleep(1000) == 0 ? 0 : errno);
      errno = 0;
      waits.insert(sem_wait(&semaphore) == 0 ? 0 : errno);
    });
    pthread_kill(sleeper.native_handle(), SIGUSR1);
    pthread_kill(sleeper.native_handle(), SIGUSR1);
    sem_post(&semaphore);
    sleeper.join();
    assert(calls == 1 || calls == 2);
  });
  EXPECT_EQ(sleeps, (Seen<int>{0, EINTR}));
  EXPECT_EQ(waits, (Seen<int>{0, EINTR}));
}

TEST_P(Signals, ASleepSaysWhatIsLeft) {
  Seen<bool> interrupted;
  passes([&] {
    handle(SIGUSR1);
    std::thread sleeper([&] {
      const timespec hour = {3600, 0};
      timespec rest = {0, 0};
      const int result = nanosleep(&hour, &rest);
      assert(result == 0 || (errno == EINTR && rest.tv_sec > 3590 && rest.tv_sec <= 3600));
      interrupted.insert(result != 0);
    });
    pthread_kill(sleeper.native_handle(), SIGUSR1);
    sleeper.join();
  });
  EXPECT_EQ(interrupted, (Seen<bool>{false, true}));
}

TEST_P(Signals, WithRestartASemaphoreWaitGoesOn) {
  passes([] {
    handle(SIGUSR1, count, SA_RESTART);
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    std::thread waiter([&] { assert(sem_wait(&semaphore) == 0); });
    pthread_kill(waiter.native_handle(), SIGUSR1);
    sem_post(&semaphore);
    waiter.join();
    assert(calls == 1);
  });
}

TEST_P(Signals, LocksAndConditionsGoOnAfterAHandler) {
  passes([] {
    handle(SIGUSR1);
    std::mutex mutex;
    std::condition_variable condition;
    bool ready = false;
    bool done = false;
    std::thread waiter([&] {
      std::unique_lock lock(mutex);
      condition.wait(lock, [&] { return ready; });
      done = true;
    });
    pthread_kill(waiter.native_handle(), SIGUSR1);
    {
      const std::lock_guard lock(mutex);
      ready = true;
    }
    condition.notify_one();  // also to one that handles the signal just now
    waiter.join();
    assert(done && calls == 1);
  });
}

TEST_P(Signals, AHandlerCanTakeAnotherLockThanTheWaiter) {
  passes([] {
    static std::mutex in_handler;
    static int value;
    value = 0;
    handle(SIGUSR1, [](int, siginfo_t*, void*) {
      const std::lock_guard lock(in_handler);
      ++value;
    });
    std::mutex mutex;
    mutex.lock();
    std::thread waiter([&] { const std::lock_guard lock(mutex); });
    {
      const std::lock_guard lock(in_handler);
      pthread_kill(waiter.native_handle(), SIGUSR1);
      ++value;
    }
    mutex.unlock();
    waiter.join();
    assert(value == 2);
  });
}

TEST_P(Signals, SigwaitTakesWhatIsBlocked) {
  passes([] {
    block(SIGUSR1);
    block(SIGUSR2);
    std::thread sender([] {
      kill(getpid(), SIGUSR2);
      kill(getpid(), SIGUSR1);
    });
    const sigset_t first = set_of(SIGUSR1);
    int signal = 0;
    assert(sigwait(&first, &signal) == 0 && signal == SIGUSR1);
    const sigset_t second = set_of(SIGUSR2);
    siginfo_t info{};
    assert(sigwaitinfo(&second, &info) == SIGUSR2 && info.si_pid == getpid());
    sender.join();
    const timespec soon = {1, 0};
    errno = 0;
    assert(sigtimedwait(&second, &info, &soon) == -1 && errno == EAGAIN);
  });
}

TEST_P(Signals, SigsuspendWaitsForAHandler) {
  passes([] {
    handle(SIGUSR1);
    block(SIGUSR1);
    const pthread_t main = pthread_self();
    std::thread sender([&] { pthread_kill(main, SIGUSR1); });
    sigset_t none;
    sigemptyset(&none);
    while (calls == 0) assert(sigsuspend(&none) == -1 && errno == EINTR);
    sigset_t now;
    pthread_sigmask(SIG_BLOCK, nullptr, &now);
    assert(sigismember(&now, SIGUSR1) == 1);
    sender.join();
  });
}

TEST_P(Signals, PauseMissesASignalThatCameBefore) {
  const Result result = finds("deadlock", [] {
    handle(SIGUSR1);
    const pthread_t main = pthread_self();
    std::thread sender([&] { pthread_kill(main, SIGUSR1); });
    pause();
    sender.join();
  });
  EXPECT_EQ(result.message, "T0 waits for a signal that nobody sends");
}

TEST_P(Signals, AHandlerCanJumpOutOfItself) {
  passes([] {
    static sigjmp_buf back;
    handle(
        SIGUSR1, [](int, siginfo_t*, void*) { siglongjmp(back, 1); }, SA_NODEFER);
    volatile int jumped = 0;
    if (sigsetjmp(back, 1) == 0)
      raise(SIGUSR1);
    else
      jumped = 1;
    assert(jumped == 1);
  });
}

TEST_P(Signals, AFaultGoesToTheProgramsHandler) {
  passes([] {
    static sigjmp_buf back;
    handle(SIGSEGV, [](int, siginfo_t*, void*) { siglongjmp(back, 1); });
    if (sigsetjmp(back, 1) == 0) {
      volatile int* volatile null = nullptr;
      *null = 1;
      assert(false);
    }
  });
}

TEST_P(Signals, AHandlerThatIsResetRunsOnce) {
  finds("signal", [] {
    handle(SIGUSR1, count, static_cast<int>(SA_RESETHAND));
    raise(SIGUSR1);
    if (calls != 1) return;
    raise(SIGUSR1);
  });
}

TEST_P(Signals, AbortCallsItsHandlerFirst) {
  static int seen;
  seen = 0;
  finds("aborted", [] {
    handle(SIGABRT, [](int, siginfo_t*, void*) { ++seen; });
    std::abort();
  });
  EXPECT_GE(seen, 2);  // in the run that found it, and in the one that confirmed it
}

TEST_P(Signals, AHandlerCanAbortWhileOthersCanGoOn) {
  finds("aborted", [] {
    std::mutex mutex;
    std::thread other([&] { const std::lock_guard lock(mutex); });
    handle(SIGUSR1, [](int, siginfo_t*, void*) { std::abort(); });
    raise(SIGUSR1);
    other.join();
  });
}

// Faults are handled on one stack that all operations share: a second fault would overwrite the frames of the first.
TEST_P(Signals, TheHandlerOfAFaultCanAbortWhileOthersComeToOne) {
  finds("aborted", [] {
    handle(SIGSEGV, [](int, siginfo_t*, void*) { std::abort(); });
    const auto fault = [] { *static_cast<volatile int*>(nullptr) = 1; };
    std::thread one(fault);
    std::thread two(fault);
    one.join();
    two.join();
  });
}

TEST_P(Signals, OthersSeeWhatTheHandlerOfAbortDid) {
  static int was_handled;
  finds("assertion", [] {
    was_handled = 0;
    handle(SIGABRT, [](int, siginfo_t*, void*) { was_handled = 1; });
    std::thread other([] {
      heddle::step();
      assert(was_handled == 0);
    });
    std::abort();
  });
}

TEST_P(Signals, AWaitInAHandlerThatInterruptedAWaitIsMisuse) {
  const Result result = finds("misuse", [] {
    std::mutex mutex;
    std::condition_variable condition;
    static std::condition_variable* in_handler;
    in_handler = &condition;
    handle(SIGUSR1, [](int, siginfo_t*, void*) {
      std::mutex other;
      std::unique_lock lock(other);
      in_handler->wait_for(lock, std::chrono::seconds(1));
    });
    std::thread waiter([&] {
      std::unique_lock lock(mutex);
      condition.wait_for(lock, std::chrono::seconds(1));
    });
    pthread_kill(waiter.native_handle(), SIGUSR1);
    waiter.join();
  });
  EXPECT_EQ(result.message, "a signal handler that interrupted a wait begins another");
}

TEST_P(Signals, AThreadIsCancelledInTheWaitThatAHandlerInterrupted) {
  passes([] {
    handle(
        SIGUSR1,
        [](int, siginfo_t*, void*) {
          ++calls;
          heddle::step();
        },
        SA_RESTART);
    sem_t never;
    sem_init(&never, 0, 0);
    std::thread waiter([&] { sem_wait(&never); });
    pthread_kill(waiter.native_handle(), SIGUSR1);
    pthread_cancel(waiter.native_handle());
    waiter.join();
    assert(calls <= 1);
  });
}

TEST_P(Signals, WaitingForOneCanBeCancelled) {
  passes([] {
    block(SIGUSR1);
    std::thread waiter([] {
      const sigset_t set = set_of(SIGUSR1);
      int signal = 0;
      sigwait(&set, &signal);
    });
    std::thread pauses([] { pause(); });
    pthread_cancel(waiter.native_handle());
    pthread_cancel(pauses.native_handle());
    waiter.join();
    pauses.join();
  });
}

/// Past heddle: as if another process had made the call.
long directly(long number, long first, long second) {
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second) : "rcx", "r11", "memory");
  return result;
}

TEST_P(Signals, FromOutsideAreHandledAtAStep) {
  passes(
      [] {
        handle(SIGUSR1);
        assert(directly(SYS_kill, getpid(), SIGUSR1) == 0);
        while (calls == 0) {
          directly(SYS_sched_yield, 0, 0);  // with a baton it comes to a thread that waits
          heddle::step();
        }
        assert(calls == 1);
      },
      [](Options& options) { options.executions = 20; });
}

TEST_P(Signals, TheKernelsHandlersAreBackAfterwards) {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGUSR1, nullptr, &before);
  passes([] { handle(SIGUSR1); }, [](Options& options) { options.executions = 3; });
  sigaction(SIGUSR1, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
}

}  // namespace
}  // namespace heddle::test
