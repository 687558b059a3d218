// odd: two threads compare the times at which they read the processor's clock; which is first is the schedule's choice
// expect: bug: ended with exit code 1
#include <pthread.h>
#include <x86intrin.h>

static unsigned long long theirs;

static void* other(void* unused) {
  theirs = __rdtsc();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  const unsigned long long mine = __rdtsc();
  pthread_join(thread, 0);
  return theirs < mine ? 1 : 0;
}
