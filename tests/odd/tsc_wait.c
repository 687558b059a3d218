// odd: a loop reads the clock of the processor until it has moved on, and a sleep moves it on as well
// expect: nothing
#include <pthread.h>
#include <time.h>
#include <x86intrin.h>

static void* other(void* unused) {
  const struct timespec ten = {10, 0};
  nanosleep(&ten, 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  const unsigned long long begun = __rdtsc();
  pthread_create(&thread, 0, other, 0);
  while (__rdtsc() - begun < 100000) {
  }
  pthread_join(thread, 0);
  return __rdtsc() - begun >= 1000000000ull ? 0 : 1;
}
