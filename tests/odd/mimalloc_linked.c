// odd: the program is linked with mimalloc, which knows its own blocks
// expect: nothing
// build: -lmimalloc
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

bool mi_is_in_heap_region(const void* memory);

static void* work(void* unused) {
  void* const memory = calloc(1, 1000);
  if (!mi_is_in_heap_region(memory)) abort();
  free(memory);
  return unused;
}

int main(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  return 0;
}
