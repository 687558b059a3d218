// odd: two threads sleep by system calls of their own, an absolute and a relative one
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

static void* other(void* unused) {
  struct timespec until;
  raw(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&until, 0, 0, 0, 0);
  until.tv_sec += 100;
  if (raw(SYS_clock_nanosleep, CLOCK_MONOTONIC, TIMER_ABSTIME, (long)&until, 0, 0, 0) != 0) return (void*)1;
  until.tv_nsec = -1;
  return raw(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, (long)&until, 0, 0, 0) == -22 ? unused : (void*)2;
}

int main(void) {
  pthread_t thread;
  void* result;
  const struct timespec minute = {60, 0};
  pthread_create(&thread, 0, other, 0);
  raw(SYS_nanosleep, (long)&minute, 0, 0, 0, 0, 0);
  pthread_join(thread, &result);
  return result == 0 ? 0 : 1;
}
