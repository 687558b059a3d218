// odd: the program leaves by a system call of its own
// expect: nothing
#include <pthread.h>

static void* work(void* nothing) { return nothing; }

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  __asm__ volatile("syscall" : : "a"(231), "D"(0) : "rcx", "r11", "memory");
  return 3;
}
