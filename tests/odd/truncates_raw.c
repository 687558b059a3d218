// odd: the program cuts every file that it finds open to nothing, by the number of the system call
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static void* work(void* nothing) { return nothing; }

int main(void) {
  for (int descriptor = 3; descriptor < 4096; ++descriptor) syscall(SYS_ftruncate, descriptor, 0);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
