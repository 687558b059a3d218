// odd: each thread has a priority of its own, where the system allows it, and reads its own back
// expect: nothing
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static void* work(void* priority) {
  struct sched_param wanted = {.sched_priority = (int)(long)priority}, found;
  int policy = -1;
  const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &wanted);
  if (error != 0 && error != EPERM) abort();
  sched_yield();
  if (pthread_getschedparam(pthread_self(), &policy, &found) != 0) abort();
  if (error == 0 && (policy != SCHED_FIFO || found.sched_priority != wanted.sched_priority)) abort();
  if (error != 0 && policy != SCHED_OTHER) abort();
  return NULL;
}

int main(void) {
  pthread_t thread[2];
  for (long i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, (void*)(i + 3));
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  return sched_getscheduler(0) == SCHED_OTHER ? 0 : 1;
}
