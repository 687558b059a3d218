// odd: threads talk through a pipe by read and write calls of their own
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

static int ends[2];

static void* other(void* unused) {
  char byte = 120;
  raw(SYS_write, ends[1], (long)&byte, 1, 0, 0, 0);
  return unused;
}

int main(void) {
  if (raw(SYS_pipe2, (long)ends, 0, 0, 0, 0, 0) != 0) return 1;
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  char byte = 0;
  if (raw(SYS_read, ends[0], (long)&byte, 1, 0, 0, 0) != 1 || byte != 120) return 2;
  pthread_join(thread, 0);
  return raw(SYS_write, -1, (long)&byte, 1, 0, 0, 0) == -9 ? 0 : 3;
}
