// odd: the program puts /dev/null on every number up to 1023
// expect: nothing
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static void* work(void* nothing) { return nothing; }

int main(void) {
  const int nothing = open("/dev/null", O_RDWR);
  for (int descriptor = nothing + 1; descriptor < 1024; ++descriptor) dup2(nothing, descriptor);
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
