// odd: all signals are blocked while system calls of its own are made
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>

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
  const unsigned long all = ~0ul;
  raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, 8, 0, 0);
  for (int i = 0; i < 3; ++i) raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  return unused;
}

int main(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, 0);
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  pthread_join(thread, 0);
  return 0;
}
