// odd: a system call of its own that heddle does not control: it is named at the end
// expect: nothing
// says: control is partial: raw_splice makes the system call splice at raw_splice.c:
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int one[2], two[2];

static void* other(void* unused) { return write(one[1], "x", 1) == 1 ? unused : (void*)1; }

int main(void) {
  pthread_t thread;
  if (pipe(one) != 0 || pipe(two) != 0) return 1;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
  long result;
  register long r10 asm("r10") = 0;
  register long r8 asm("r8") = 1;
  register long r9 asm("r9") = 0;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_splice), "D"(one[0]), "S"(0), "d"(two[1]), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result == 1 ? 0 : 2;
}
