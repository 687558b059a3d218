// odd: two threads free the same memory and one address that was never given out
// expect: bug: abort
#include <pthread.h>
#include <stdlib.h>

static char* memory;

static void* work(void* offset) {
  free(memory + (long)offset);
  return 0;
}

int main(void) {
  memory = malloc(64);
  pthread_t one, two;
  pthread_create(&one, 0, work, (void*)16);
  pthread_create(&two, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
