// odd: two threads wait for each other by futex calls of their own
// expect: nothing
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
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

static atomic_int word;

static void wait_for(int value) {
  for (int seen; (seen = atomic_load(&word)) != value;) raw(SYS_futex, (long)&word, FUTEX_WAIT_PRIVATE, seen, 0, 0, 0);
}

static void set(int value) {
  atomic_store(&word, value);
  raw(SYS_futex, (long)&word, FUTEX_WAKE_PRIVATE, 1 << 30, 0, 0, 0);
}

static void* other(void* unused) {
  wait_for(1);
  set(2);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  set(1);
  wait_for(2);
  pthread_join(thread, 0);
  return 0;
}
