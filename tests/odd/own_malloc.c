// odd: the program defines malloc and free itself, with a lock of its own and a counter that must come out right
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char area[16u << 20];
static size_t next = 0;
static int taken = 0;

void* malloc(size_t bytes) {
  pthread_mutex_lock(&lock);
  size_t* const block = (size_t*)(area + next);
  next += (bytes + 31) & ~(size_t)15;
  ++taken;
  pthread_mutex_unlock(&lock);
  *block = bytes;
  return next <= sizeof area ? (char*)block + 16 : NULL;
}
void free(void* memory) { (void)memory; }
void* calloc(size_t count, size_t bytes) { return malloc(count * bytes); }
void* realloc(void* memory, size_t bytes) {
  void* const moved = malloc(bytes);
  if (memory != NULL) memcpy(moved, memory, bytes);
  return moved;
}

static void* work(void* unused) {
  for (int i = 0; i < 2; ++i) {
    void* volatile memory = malloc(100);
    free(memory);
  }
  return unused;
}

int main(void) {
  pthread_t thread[2];
  const int before = taken;
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  return taken >= before + 4 ? 0 : 1;
}
