// odd: threads read the processor time of each other
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static void* work(void* other) {
  clockid_t clock;
  struct timespec first, second;
  if (pthread_getcpuclockid(*(pthread_t*)other, &clock) != 0) abort();
  if (clock_gettime(clock, &first) != 0 || clock_gettime(clock, &second) != 0) abort();
  if (second.tv_sec < first.tv_sec || (second.tv_sec == first.tv_sec && second.tv_nsec < first.tv_nsec)) abort();
  return NULL;
}

int main(void) {
  pthread_t self = pthread_self();
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, &self);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  return 0;
}
