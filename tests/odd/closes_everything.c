// odd: the program closes every descriptor above 2, one by one
// expect: nothing
#include <pthread.h>
#include <unistd.h>

static void* work(void* nothing) { return nothing; }

int main(void) {
  for (int descriptor = 3; descriptor < 4096; ++descriptor) close(descriptor);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
