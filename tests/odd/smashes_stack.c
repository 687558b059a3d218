// odd: a thread overwrites its stack, so that no function knows its caller any more
// expect: bug: segmentation fault
// build: -fno-stack-protector -U_FORTIFY_SOURCE
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void smash(volatile char* bytes, int count) {
  for (volatile char* end = bytes + count; bytes < end; ++bytes) *bytes = 0x41;
}

static void* work(void* nothing) {
  pthread_mutex_lock(&lock);
  volatile char bytes[16];
  smash(bytes, 600);
  pthread_mutex_unlock(&lock);
  return nothing;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
