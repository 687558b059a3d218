/* Two threads take two mutexes that inherit priorities, in the same order. */
// expect: passes
// expect: passes strategy=dfs complete
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t left, right;

static void take_both(pthread_mutex_t* first, pthread_mutex_t* second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void* work(void* unused) {
  take_both(&left, &right);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutex_init(&left, &attributes);
  pthread_mutex_init(&right, &attributes);
  pthread_t other;
  if (pthread_create(&other, NULL, work, NULL) != 0) return 1;
  take_both(&left, &right);
  return pthread_join(other, NULL);
}
