/* Two threads that meet at a mutex, so that there is something to choose. */
#pragma once

#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t meeting = PTHREAD_MUTEX_INITIALIZER;

static void* meet(void* unused) {
  pthread_mutex_lock(&meeting);
  pthread_mutex_unlock(&meeting);
  return unused;
}

static inline void run_two_threads(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, meet, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
}
