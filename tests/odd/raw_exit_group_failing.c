// odd: a thread ends the program by a system call of its own, with code 3, if it comes first
// expect: bug: ended with exit code 3
#define _GNU_SOURCE
#include <pthread.h>
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

static int set;

static void* other(void* unused) {
  if (!set) raw(SYS_exit_group, 3, 0, 0, 0, 0, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  raw(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
  set = 1;
  pthread_join(thread, 0);
  return 0;
}
