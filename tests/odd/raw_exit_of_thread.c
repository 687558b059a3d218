// odd: a thread ends by a system call of its own, and is joined
// expect: nothing
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

static int done;

static void* other(void* unused) {
  done = 1;
  raw(SYS_exit, 0, 0, 0, 0, 0, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  return done == 1 ? 0 : 1;
}
