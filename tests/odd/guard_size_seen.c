// odd: a thread asks for its own attributes and insists on a guard and on its stack, as Rust's threads do
// expect: nothing
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void* look(void* unused) {
  pthread_attr_t attributes;
  void* low = NULL;
  size_t bytes = 0, guard = 0;
  char here;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) abort();
  pthread_attr_getstack(&attributes, &low, &bytes);
  pthread_attr_getguardsize(&attributes, &guard);
  pthread_attr_destroy(&attributes);
  if (guard == 0 || (uintptr_t)low % 4096 != 0) abort();
  if (&here < (char*)low || &here >= (char*)low + bytes) abort();
  return unused;
}

int main(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; ++i) pthread_create(&thread[i], NULL, look, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(thread[i], NULL);
  return 0;
}
