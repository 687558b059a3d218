// odd: each thread chooses its processors, and only those that there are can be chosen
// expect: nothing
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static cpu_set_t all;

static int first_of(const cpu_set_t* set) {
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, set)) return i;
  abort();
}

static void* work(void* unused) {
  cpu_set_t one, found;
  CPU_ZERO(&one);
  CPU_SET(first_of(&all), &one);
  if (pthread_setaffinity_np(pthread_self(), sizeof one, &one) != 0) abort();
  sched_yield();
  if (pthread_getaffinity_np(pthread_self(), sizeof found, &found) != 0 || !CPU_EQUAL(&one, &found)) abort();
  return unused;
}

int main(void) {
  if (sched_getaffinity(0, sizeof all, &all) != 0) abort();
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
  cpu_set_t none, found;
  CPU_ZERO(&none);
  if (pthread_setaffinity_np(pthread_self(), sizeof none, &none) != EINVAL) abort();
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  if (sched_getaffinity(0, sizeof found, &found) != 0 || !CPU_EQUAL(&all, &found)) abort();
  return 0;
}
