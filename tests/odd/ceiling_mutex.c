// odd: a mutex with a priority ceiling, which ordinary threads do not get, and whose ceiling can be changed
// expect: nothing
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock;

static void* try(void* unused) {
  if (pthread_mutex_lock(&lock) != EINVAL) abort();
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT);
  pthread_mutexattr_setprioceiling(&attributes, 5);
  pthread_mutex_init(&lock, &attributes);
  int ceiling = 0;
  if (pthread_mutex_getprioceiling(&lock, &ceiling) != 0 || ceiling != 5) abort();
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, try, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  if (pthread_mutex_setprioceiling(&lock, 7, &ceiling) != 0 || ceiling != 5) abort();
  if (pthread_mutex_getprioceiling(&lock, &ceiling) != 0 || ceiling != 7) abort();
  return 0;
}
