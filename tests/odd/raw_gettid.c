// odd: threads ask for their number by a system call of their own, and libc says the same
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

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
  return raw(SYS_gettid, 0, 0, 0, 0, 0, 0) == gettid() && gettid() != getpid() ? unused : (void*)1;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, &result);
  return result == 0 && raw(SYS_getpid, 0, 0, 0, 0, 0, 0) == getpid() ? 0 : 1;
}
