// odd: a thread waits for a flag, or for a time, in a loop that only reads the processor's clock, by rdtscp
// expect: nothing
#include <pthread.h>
#include <stdatomic.h>
#include <x86intrin.h>

static atomic_int flag;

static void* other(void* unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  unsigned processor = 0;
  unsigned long long last = __rdtscp(&processor);
  const unsigned long long until = last + 20000;
  pthread_create(&thread, 0, other, 0);
  while (!atomic_load(&flag) && last < until) {
    const unsigned long long now = __rdtscp(&processor);
    if (now <= last) return 1;
    last = now;
  }
  pthread_join(thread, 0);
  return processor == 0 ? 0 : 2;
}
