// odd: the program writes rubbish to every descriptor above 2 and changes its size
// expect: nothing
#include <pthread.h>
#include <unistd.h>

static void* work(void* nothing) { return nothing; }

int main(void) {
  for (int descriptor = 3; descriptor < 4096; ++descriptor) {
    if (write(descriptor, "failure rubbish\n", 16) < 0) continue;
    if (ftruncate(descriptor, 3) < 0) continue;
    lseek(descriptor, 1 << 20, SEEK_SET);
  }
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
