// Functions that programs written long ago call: signals before POSIX, locks on streams, futexes that hand over a lock.
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <thread>

#include "runtime/on_both.hpp"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// As programs of their time are linked.
extern "C" int sigblock(int mask) noexcept;
extern "C" int sigsetmask(int mask) noexcept;

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(OlderCalls);

std::atomic<int> handled{0};
void note(int) { ++handled; }

TEST_P(OlderCalls, SignalsCanBeHeldAndReleased) {
  passes([] {
    handled = 0;
    sigset(SIGUSR1, note);
    sighold(SIGUSR1);
    raise(SIGUSR1);
    assert(handled == 0);
    sigrelse(SIGUSR1);
    assert(handled == 1);
    assert(sigset(SIGUSR1, SIG_HOLD) == note);
    assert(sigset(SIGUSR1, note) == SIG_HOLD);
    sigignore(SIGUSR1);
    raise(SIGUSR1);
    assert(handled == 1);
  });
}

TEST_P(OlderCalls, MasksHoldSignals) {
  passes([] {
    handled = 0;
    signal(SIGUSR1, note);
    const int before = sigblock(1 << (SIGUSR1 - 1));
    raise(SIGUSR1);
    assert(handled == 0);
    sigsetmask(before);
    assert(handled == 1);
  });
}

TEST_P(OlderCalls, AStreamHasALockThatCanBeTakenTwice) {
  passes([] {
    int inside = 0;
    const auto work = [&] {
      flockfile(stderr);
      assert(ftrylockfile(stderr) == 0);
      assert(++inside == 1);
      std::this_thread::yield();
      --inside;
      funlockfile(stderr);
      funlockfile(stderr);
    };
    std::thread other(work);
    work();
    other.join();
  });
}

TEST_P(OlderCalls, StreamLocksInBothOrdersAreADeadlock) {
  finds("deadlock", [] {
    std::thread other([] {
      flockfile(stdout);
      flockfile(stderr);
      funlockfile(stderr);
      funlockfile(stdout);
    });
    flockfile(stderr);
    flockfile(stdout);
    funlockfile(stdout);
    funlockfile(stderr);
    other.join();
  });
}

class HandedOver {
 public:
  void lock() {
    std::uint32_t nobody = 0;
    if (word_.compare_exchange_strong(nobody, static_cast<std::uint32_t>(gettid()))) return;
    assert(syscall(SYS_futex, &word_, FUTEX_LOCK_PI, 0, nullptr, nullptr, 0) == 0);
  }
  void unlock() {
    auto mine = static_cast<std::uint32_t>(gettid());
    if (word_.compare_exchange_strong(mine, 0)) return;
    assert(syscall(SYS_futex, &word_, FUTEX_UNLOCK_PI, 0, nullptr, nullptr, 0) == 0);
  }
  long again() { return syscall(SYS_futex, &word_, FUTEX_LOCK_PI, 0, nullptr, nullptr, 0); }
  long try_it() { return syscall(SYS_futex, &word_, FUTEX_TRYLOCK_PI, 0, nullptr, nullptr, 0); }
  long unlock_it() { return syscall(SYS_futex, &word_, FUTEX_UNLOCK_PI, 0, nullptr, nullptr, 0); }

 private:
  std::atomic<std::uint32_t> word_{0};
};

TEST_P(OlderCalls, AFutexHandsItsLockOver) {
  passes([] {
    HandedOver lock;
    int sum = 0;
    const auto add = [&] {
      lock.lock();
      const int before = sum;
      std::this_thread::yield();
      sum = before + 1;
      lock.unlock();
    };
    std::thread one(add), two(add);
    add();
    one.join();
    two.join();
    assert(sum == 3);
  });
}

TEST_P(OlderCalls, AFutexKnowsItsOwner) {
  passes([] {
    HandedOver lock;
    lock.lock();
    assert(lock.again() == -1 && errno == EDEADLK);
    std::thread other([&] {
      assert(lock.try_it() == -1 && errno == EAGAIN);
      assert(lock.unlock_it() == -1 && errno == EPERM);
    });
    other.join();
    lock.unlock();
  });
}

TEST_P(OlderCalls, LocksOfFutexesInBothOrdersAreADeadlock) {
  finds("deadlock", [] {
    HandedOver a, b;
    std::thread other([&] {
      b.lock();
      std::this_thread::yield();
      a.lock();
      a.unlock();
      b.unlock();
    });
    a.lock();
    std::this_thread::yield();
    b.lock();
    b.unlock();
    a.unlock();
    other.join();
  });
}

}  // namespace
}  // namespace heddle::test
