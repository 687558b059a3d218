// odd: a thousand short threads, ten at a time
// expect: nothing
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done = 0;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  ++done;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  for (int round = 0; round < 100; ++round) {
    pthread_t thread[10];
    for (int i = 0; i < 10; ++i)
      if (pthread_create(&thread[i], NULL, work, NULL) != 0) return 1;
    for (int i = 0; i < 10; ++i) pthread_join(thread[i], NULL);
  }
  return done == 1000 ? 0 : 2;
}
