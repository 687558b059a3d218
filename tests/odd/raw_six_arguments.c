// odd: a system call of its own has six arguments, and all arrive
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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
  char path[] = "/tmp/heddle_six_XXXXXX";
  const int file = mkstemp(path);
  unlink(path);
  if (ftruncate(file, 8192) != 0 || pwrite(file, "second", 6, 4096) != 6) return (void*)1;
  char* const page = (char*)raw(SYS_mmap, 0, 4096, PROT_READ, MAP_PRIVATE, file, 4096);
  return memcmp(page, "second", 6) == 0 ? unused : (void*)2;
}

int main(void) {
  pthread_t thread;
  void* result;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, &result);
  return result == 0 ? 0 : 1;
}
