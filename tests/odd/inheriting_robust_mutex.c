// odd: the owner of a robust mutex that inherits priorities ends without unlocking it
// expect: nothing
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock;

static void* die(void* unused) {
  if (pthread_mutex_lock(&lock) == EOWNERDEAD) pthread_mutex_consistent(&lock);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &attributes);
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, die, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  if (pthread_mutex_lock(&lock) != EOWNERDEAD) abort();
  if (pthread_mutex_unlock(&lock) != 0) abort();  // not made consistent
  return pthread_mutex_lock(&lock) == ENOTRECOVERABLE ? 0 : 1;
}
