// odd: a program at a fixed address takes the address of malloc, and so has a stub of that name
// expect: nothing
// build: -no-pie
#include <pthread.h>
#include <stdlib.h>

static void* (*volatile take)(size_t) = malloc;

static void* work(void* unused) {
  free(take(10));
  return unused;
}

int main(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  return 0;
}
