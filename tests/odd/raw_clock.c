// odd: a loop reads the clock by a system call of its own until an hour has passed
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>

static long raw(long number, long a, long b, long c, long d, long e, long f) {
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

static long now(void) {
  struct timespec time;
  raw(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0, 0, 0, 0);
  return time.tv_sec;
}

static void* other(void* unused) {
  const struct timespec hour = {3600, 0};
  raw(SYS_nanosleep, (long)&hour, 0, 0, 0, 0, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  const long begun = now();
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  return now() - begun >= 3600 ? 0 : 1;
}
