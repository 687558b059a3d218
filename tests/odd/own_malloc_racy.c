// odd: the allocator of the program itself forgets its lock around a yield, and gives out a block twice
// expect: bug: the program ended with exit code 7
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>

static _Alignas(16) char area[16u << 20];
static size_t next = 0;
static int yields = 0;

void* malloc(size_t bytes) {
  const size_t at = next;
  if (yields) sched_yield();
  next = at + ((bytes + 15) & ~(size_t)15);
  return area + at;
}
void free(void* memory) { (void)memory; }
void* calloc(size_t count, size_t bytes) { return malloc(count * bytes); }
void* realloc(void* memory, size_t bytes) {
  void* const moved = malloc(bytes);
  if (memory != NULL) memcpy(moved, memory, bytes);
  return moved;
}

static void* work(void* unused) {
  (void)unused;
  return malloc(32);
}

int main(void) {
  pthread_t thread[2];
  void* block[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, work, NULL);
  yields = 1;
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], &block[i]);
  return block[0] == block[1] ? 7 : 0;
}
