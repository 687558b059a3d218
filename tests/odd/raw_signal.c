// odd: a handler that was set by a system call of its own is called, and makes one itself
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

struct action {
  void (*handler)(int);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};

static volatile long in_handler;

static void handle(int unused) {
  (void)unused;
  in_handler = raw(SYS_gettid, 0, 0, 0, 0, 0, 0);
  raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
}

static void* other(void* unused) {
  raw(SYS_kill, raw(SYS_getpid, 0, 0, 0, 0, 0, 0), SIGUSR1, 0, 0, 0, 0);
  return unused;
}

int main(void) {
  const struct action action = {handle, 0, 0, 0};
  if (raw(SYS_rt_sigaction, SIGUSR1, (long)&action, 0, 8, 0, 0) != 0) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  return in_handler != 0 ? 0 : 2;
}
