// odd: threads rename themselves and each other, by two interfaces, and a new one inherits its creator's name
// expect: nothing
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

static void expect(pthread_t thread, const char* name) {
  char found[16] = "";
  if (pthread_getname_np(thread, found, sizeof found) != 0 || strcmp(found, name) != 0) abort();
}

static void* work(void* name) {
  expect(pthread_self(), "creator");
  if (pthread_setname_np(pthread_self(), name) != 0) abort();
  char found[16] = "";
  prctl(PR_GET_NAME, found);
  if (strcmp(found, name) != 0) abort();
  return NULL;
}

int main(void) {
  prctl(PR_SET_NAME, "creator");
  if (pthread_setname_np(pthread_self(), "sixteen letters!") != ERANGE) abort();
  pthread_t one, two;
  pthread_create(&one, NULL, work, "one");
  pthread_create(&two, NULL, work, "two");
  expect(pthread_self(), "creator");
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
