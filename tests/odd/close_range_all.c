// odd: the program closes every descriptor above 2 with one call
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static void* work(void* nothing) { return nothing; }

int main(void) {
  close_range(3, ~0u, 0);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
