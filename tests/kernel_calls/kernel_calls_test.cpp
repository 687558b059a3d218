// Calls of the kernel and readings of the processor's clock by instructions of the program's own.
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "runtime/on_both.hpp"

namespace heddle::test {
namespace {

HEDDLE_ON_BOTH(KernelCalls);

long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

template <typename T>
long address(T& object) {
  return reinterpret_cast<long>(&object);
}

void wait_while(std::atomic<int>& word, int value) {
  while (word == value) call(SYS_futex, address(word), FUTEX_WAIT_PRIVATE, value);
}

TEST_P(KernelCalls, AFutexWaitsForAnotherThread) {
  passes([] {
    std::atomic<int> word = 0;
    std::thread other([&] {
      word = 1;
      call(SYS_futex, address(word), FUTEX_WAKE_PRIVATE, 1);
    });
    wait_while(word, 0);
    other.join();
  });
}

TEST_P(KernelCalls, AForgottenWakeIsADeadlock) {
  finds("deadlock", [] {
    std::atomic<int> word = 0;
    std::thread other([&] {
      call(SYS_sched_yield);
      word = 1;
    });
    wait_while(word, 0);
    other.join();
  });
}

TEST_P(KernelCalls, AnyOfThemIsASchedulingPoint) {
  finds("assertion", [] {
    int count = 0;
    const auto add = [&] {
      const int before = count;
      call(SYS_sched_yield);
      count = before + 1;
    };
    std::thread other(add);
    add();
    other.join();
    assert(count == 2);
  });
}

TEST_P(KernelCalls, ErrorsAreTheKernelsAndErrnoStays) {
  passes([] {
    errno = EDOM;
    char byte = 0;
    assert(call(SYS_read, -1, address(byte), 1) == -EBADF);
    assert(call(SYS_futex, address(byte), 77) == -ENOSYS);
    assert(call(100'000) == -ENOSYS);
    assert(errno == EDOM);
  });
}

TEST_P(KernelCalls, BytesGoThroughAPipe) {
  passes([] {
    int ends[2];
    assert(call(SYS_pipe2, address(ends), 0) == 0);
    std::thread other([&] { assert(call(SYS_write, ends[1], reinterpret_cast<long>("x"), 1) == 1); });
    char byte = 0;
    assert(call(SYS_read, ends[0], address(byte), 1) == 1);
    assert(byte == 'x');
    other.join();
    assert(call(SYS_close, ends[0]) == 0 && call(SYS_close, ends[1]) == 0);
  });
}

TEST_P(KernelCalls, ByNumberThroughLibcTheyMeanTheSame) {
  passes([] {
    int ends[2];
    assert(syscall(SYS_pipe2, ends, 0) == 0);
    std::thread other([&] { assert(syscall(SYS_write, ends[1], "x", 1) == 1); });
    char byte = 0;
    assert(syscall(SYS_read, ends[0], &byte, 1) == 1);
    other.join();
    assert(syscall(SYS_close, ends[0]) == 0 && syscall(SYS_close, ends[1]) == 0);
    assert(syscall(SYS_close, ends[0]) == -1 && errno == EBADF);
  });
}

TEST_P(KernelCalls, TimeIsVirtual) {
  passes([] {
    timespec before{};
    timespec after{};
    const timespec day{86'400, 0};
    call(SYS_clock_gettime, CLOCK_MONOTONIC, address(before));
    assert(call(SYS_nanosleep, address(day), 0) == 0);
    call(SYS_clock_gettime, CLOCK_MONOTONIC, address(after));
    assert(after.tv_sec >= before.tv_sec + 86'400);
  });
}

TEST_P(KernelCalls, AThreadEndsWithoutItsDestructors) {
  passes([] {
    struct Fails {
      ~Fails() { assert(false); }
    };
    std::thread other([] {
      static thread_local Fails fails;
      (void)fails;
      call(SYS_exit, 0);
    });
    other.join();
  });
}

TEST_P(KernelCalls, TheProcessorsClockTellsVirtualTime) {
  passes([] {
    const unsigned long long before = __rdtsc();
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    unsigned processor = 1;
    const unsigned long long after = __rdtscp(&processor);
    assert(before < after && processor == 0);
    const auto between =
        static_cast<unsigned long long>(now.tv_sec) * 1'000'000'000u + static_cast<unsigned long long>(now.tv_nsec);
    assert(before < between && between < after);
  });
}

TEST_P(KernelCalls, WhoReadsTheProcessorsClockFirstIsAChoice) {
  finds("assertion", [] {
    unsigned long long theirs = 0;
    std::thread other([&] { theirs = __rdtsc(); });
    const unsigned long long mine = __rdtsc();
    other.join();
    assert(mine < theirs);
  });
}

TEST(KernelCallsOutside, GoToTheKernel) {
  EXPECT_EQ(call(SYS_getpid), getpid());
  const unsigned long long before = __rdtsc();
  EXPECT_GE(__rdtsc(), before);
}

}  // namespace
}  // namespace heddle::test
