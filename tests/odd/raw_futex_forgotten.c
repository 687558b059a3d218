// odd: a thread waits by a futex call of its own, and no thread wakes it
// expect: bug: deadlock
#define _GNU_SOURCE
#include <linux/futex.h>
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

static int word;

static void* other(void* unused) {
  word = 1;  // and does not wake
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  raw(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
  pthread_join(thread, 0);
  return 0;
}
