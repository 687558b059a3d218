// odd: threads run on memory that the program itself provides, one of them ends by pthread_exit from below a cleanup
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

enum { kBytes = 64 * 1024 };
static _Alignas(4096) char memory[2][kBytes];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int cleaned = 0;

static void clean(void* unused) {
  (void)unused;
  ++cleaned;
  pthread_mutex_unlock(&lock);
}

static void leave(void* result) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(clean, NULL);
  pthread_exit(result);
  pthread_cleanup_pop(0);
}

static void* work(void* mine) {
  char here;
  if (&here < (char*)mine || &here >= (char*)mine + kBytes) abort();
  leave(mine);
  return NULL;
}

int main(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, memory[i], kBytes) != 0) abort();
    if (pthread_create(&thread[i], &attributes, work, memory[i]) != 0) abort();
    pthread_attr_destroy(&attributes);
  }
  for (int i = 0; i < 2; ++i) {
    void* result = NULL;
    pthread_join(thread[i], &result);
    if (result != memory[i]) abort();
  }
  return cleaned == 2 ? 0 : 1;
}
