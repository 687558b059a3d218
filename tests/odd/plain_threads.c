// odd: nothing is: two threads and a mutex
// expect: nothing
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int counted;

static void* count(void* unused) {
  pthread_mutex_lock(&mutex);
  ++counted;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, count, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return counted == 2 ? 0 : 1;
}
