// odd: the program changes what a thread without attributes gets
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

static void* look(void* expected) {
  pthread_attr_t attributes;
  size_t bytes = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstacksize(&attributes, &bytes);
  pthread_attr_destroy(&attributes);
  if (bytes != (size_t)expected) abort();
  return NULL;
}

static void run(size_t expected) {
  pthread_t thread;
  pthread_create(&thread, NULL, look, (void*)expected);
  pthread_join(thread, NULL);
}

int main(void) {
  pthread_attr_t usual;
  size_t before = 0;
  pthread_getattr_default_np(&usual);
  pthread_attr_getstacksize(&usual, &before);
  run(before);
  pthread_attr_setstacksize(&usual, 1u << 20);
  pthread_setattr_default_np(&usual);
  run(1u << 20);
  return 0;
}
