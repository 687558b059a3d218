// odd: a child is made and waited for by system calls of its own
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

static void* other(void* unused) { return unused; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  const long child = raw(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
  if (child == 0) raw(SYS_exit_group, 5, 0, 0, 0, 0, 0);
  int status = 0;
  const long ended = raw(SYS_wait4, child, (long)&status, 0, 0, 0, 0);
  pthread_join(thread, 0);
  return ended == child && status == 5 << 8 ? 0 : 1;
}
