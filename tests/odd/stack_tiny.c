// odd: threads with the smallest stack there is, which lock, wait and are told their size
// expect: nothing
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn = 0;

static void* work(void* number) {
  pthread_attr_t attributes;
  size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  if (bytes != (size_t)sysconf(_SC_THREAD_STACK_MIN)) abort();
  pthread_mutex_lock(&lock);
  while (turn != (int)(long)number) pthread_cond_wait(&changed, &lock);
  ++turn;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (pthread_attr_setstacksize(&attributes, (size_t)sysconf(_SC_THREAD_STACK_MIN)) != 0) abort();
  pthread_t thread[3];
  for (long i = 0; i < 3; ++i)
    if (pthread_create(&thread[i], &attributes, work, (void*)i) != 0) abort();
  for (int i = 0; i < 3; ++i) pthread_join(thread[i], NULL);
  return turn == 3 ? 0 : 1;
}
