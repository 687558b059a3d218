// odd: the first thread ends by pthread_exit, and detached threads end the process after it
// expect: nothing
#include <pthread.h>
#include <time.h>

static void* work(void* unused) {
  nanosleep(&(struct timespec){0, 1000000}, NULL);
  return unused;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread;
  for (int i = 0; i < 3; ++i) pthread_create(&thread, &attributes, work, NULL);
  pthread_exit(NULL);
}
