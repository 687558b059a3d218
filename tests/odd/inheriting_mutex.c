// odd: three threads share a mutex that inherits priorities
// expect: nothing
#include <pthread.h>

static pthread_mutex_t lock;
static int sum = 0;

static void* add(void* unused) {
  for (int i = 0; i < 2; ++i) {
    pthread_mutex_lock(&lock);
    const int before = sum;
    sum = before + 1;
    pthread_mutex_unlock(&lock);
  }
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if (pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT) != 0) return 1;
  pthread_mutex_init(&lock, &attributes);
  pthread_t thread[3];
  for (int i = 0; i < 3; ++i) pthread_create(&thread[i], NULL, add, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
  return sum == 6 ? 0 : 2;
}
