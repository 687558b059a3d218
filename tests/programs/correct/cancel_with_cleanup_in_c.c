/* A cancelled thread of a C program runs its cleanup handlers: without exceptions they are found by longjmp. */
// expect: passes
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;
static int order[2];
static int handlers;

static void note(void* number) { order[handlers++] = *(int*)number; }

static void* wait_for_ever(void* unused) {
  int outer = 1;
  int inner = 2;
  pthread_cleanup_push(note, &outer);
  pthread_cleanup_push(note, &inner);
  for (;;) sem_wait(&never);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t worker;
  void* result = NULL;
  sem_init(&never, 0, 0);
  assert(pthread_create(&worker, NULL, wait_for_ever, NULL) == 0);
  assert(pthread_cancel(worker) == 0);
  assert(pthread_join(worker, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  assert(handlers == 0 || (handlers == 2 && order[0] == 2 && order[1] == 1)); /* 0: it was cancelled before them */
  return 0;
}
