// odd: a system call of its own that does not exist is refused as the kernel refuses it
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>

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
  pthread_join(thread, 0);
  return raw(100000, 1, 2, 3, 4, 5, 6) == -38 ? 0 : 1;
}
