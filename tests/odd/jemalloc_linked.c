// odd: the program is linked with jemalloc, and asks it what it gave out
// expect: nothing
// build: -ljemalloc
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

int mallctl(const char* name, void* old, size_t* old_bytes, void* new, size_t new_bytes);
size_t sallocx(const void* memory, int flags);

static void* work(void* unused) {
  for (size_t bytes = 8; bytes < 100000; bytes *= 3) {
    void* const memory = malloc(bytes);
    if (sallocx(memory, 0) < bytes) abort();
    free(memory);
  }
  return unused;
}

int main(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  unsigned arenas = 0;
  size_t bytes = sizeof arenas;
  return mallctl("arenas.narenas", &arenas, &bytes, NULL, 0) == 0 && arenas > 0 ? 0 : 1;
}
