// odd: few descriptors are allowed
// expect: nothing
// limit: nofile=256
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* work(void* nothing) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return nothing;
}

int main(void) {
  pthread_t one, two;
  if (pthread_create(&one, 0, work, 0) != 0) return 1;
  if (pthread_create(&two, 0, work, 0) != 0) return 1;
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
